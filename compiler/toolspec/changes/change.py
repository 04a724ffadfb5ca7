"""Changes: results of a comparison."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from toolspec.changes.kind import OUTSIDE, Audience, ChangeKind, Level, gravest, gravest_of
from toolspec.shared.records import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolspec.shared.json_values import JsonValue, Path

SERVER = "the server"
"""In place of the name of a service, where the list of a server does not state it."""


class Verdict(StrEnum):
    """Outcome of the proof of a change in a schema.

    `EXPIRED` is a `NOT_PROVED` for which the time ran out: a faster machine may prove it.
    """

    SAFE = "proved safe"
    BREAKING = "proved breaking"
    NOT_PROVED = "not proved"
    EXPIRED = "out of time"


@dataclass(frozen=True, slots=True)
class Proof:
    """Whether each value of the sender's schema is valid for the receiver.

    `witness` is the JSON text of the smallest value found that only the sender's schema accepts;
    `reason` is the keyword, or another cause, for which there is no proof.
    """

    verdict: Verdict
    witness: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a change is on one side: a service, a tool by its exact name, and a path in its facts."""

    service: str = ""
    tool: str = ""
    path: Path = ()


@dataclass(frozen=True, slots=True)
class Change:
    """One change. `old` and `new` are where it is; None where that side does not have the part.

    `values` are the parameters of the messages. `levels` are those of the kind, after the proof, and
    `least` those of a more general kind that count too. `configured` is the level that the project
    sets in place of the gravest of them.
    """

    kind: ChangeKind
    old: Place | None
    new: Place | None
    values: Mapping[str, JsonValue] = field(default_factory=dict)
    proof: Proof | None = None
    least: Mapping[Audience, Level] = field(default_factory=dict)
    configured: Level | None = None

    @property
    def code(self) -> str:
        """The code of its kind."""
        return self.kind.code

    @property
    def message(self) -> str:
        """What changed, in words."""
        return self._filled(self.kind.message)

    @property
    def advice(self) -> str:
        """What can be done instead; may be empty."""
        return self._filled(self.kind.advice)

    def _filled(self, text: str) -> str:
        if self.values.get("service") == SERVER:
            text = text.replace("`{service}`", SERVER)
        return text.format_map(self.values)

    @property
    def place(self) -> Place:
        """Where it is now, or where it was."""
        place = self.new or self.old
        assert place is not None, "one side has the part"
        return place

    @property
    def levels(self) -> Mapping[Audience, Level]:
        """The effect on each audience: callers break unless a change of a schema is proved safe."""
        levels = dict(self.kind.levels)
        if self.proof is not None and self.proof.verdict is not Verdict.SAFE:
            levels[Audience.CALLERS] = Level.BREAK
        elif self.proof is not None and levels[Audience.CALLERS] is Level.BREAK:
            levels[Audience.CALLERS] = Level.NONE
        for audience, level in self.least.items():
            levels[audience] = gravest_of((level,), levels[audience])
        return levels

    def level(self, audiences: frozenset[Audience] = OUTSIDE) -> Level:
        """Return the configured level, else the gravest effect on some audiences."""
        return self.configured or gravest(self.levels, audiences)

    @property
    def order(self) -> tuple[str, str, str, str]:
        """Sort key: service, tool, path, code."""
        place = self.place
        return (place.service, place.tool, "/".join(map(str, place.path)), self.code)


@dataclass(frozen=True, slots=True)
class Changes:
    """All changes between two sides, in the order of services, tools and paths.

    `not_compared` are facts that one of the sides cannot show; `unresolved` are services and tools
    that do not compile on one of them.
    """

    changes: tuple[Change, ...] = ()
    not_compared: tuple[str, ...] = ()
    unresolved: tuple[str, ...] = ()

    def level(self, audiences: frozenset[Audience] = OUTSIDE) -> Level:
        """Return the gravest level; none without any change."""
        return gravest_of((change.level(audiences) for change in self.changes), Level.NONE)
