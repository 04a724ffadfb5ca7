"""Kinds of changes: a code, a message, and the effect on each audience."""

from __future__ import annotations

from enum import StrEnum
from operator import attrgetter
from typing import TYPE_CHECKING

from toolspec.shared.ranked import Ranked
from toolspec.shared.records import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class Level(Ranked):
    """Effect of a change on an audience, the gravest first."""

    BREAK = "break"
    RISK = "risk"
    NOTE = "note"
    NONE = "none"


class Audience(StrEnum):
    """Readers of a contract."""

    CALLERS = "callers"
    HANDLERS = "handlers"
    MODELS = "models"
    REVIEWERS = "reviewers"
    OPERATORS = "operators"


OUTSIDE = frozenset(Audience) - {Audience.HANDLERS}
"""The audiences that decide the level of a change. Handlers change together with their spec."""


def gravest(levels: Mapping[Audience, Level], audiences: frozenset[Audience] = OUTSIDE) -> Level:
    """Return the gravest level among some audiences; a change that affects none of them is a note."""
    return gravest_of(
        (level for audience, level in levels.items() if audience in audiences), Level.NOTE
    )


def gravest_of(levels: Iterable[Level], least: Level) -> Level:
    """Return the gravest of some levels, and of the least that there can be."""
    return min((*levels, least), key=attrgetter("rank"))


@dataclass(frozen=True, slots=True)
class ChangeKind:
    """Declaration of a change: `family/slug`, message, advice, and the effect on audiences.

    `message` and `advice` are `str.format` templates. `mirror` is the code of the kind that the
    reversed change has; empty if its manual says why there is none. A `is_guess` kind is found by a
    heuristic, so it is at most a risk.
    """

    code: str
    message: str
    advice: str
    levels: Mapping[Audience, Level] = field(default_factory=dict)
    mirror: str = ""
    is_guess: bool = False
    module: str = ""

    @property
    def family(self) -> str:
        """The part of the code before the slash."""
        return self.code.partition("/")[0]


def declare(  # noqa: PLR0913 - an option for each audience
    module: str,
    message: str,
    advice: str = "",
    *,
    mirror: str = "",
    callers: str = "none",
    handlers: str = "none",
    models: str = "none",
    reviewers: str = "none",
    operators: str = "none",
    is_guess: bool = False,
) -> ChangeKind:
    """Return the kind of a module, called with its `__name__`.

    The code is derived from that name, as is the code of `mirror`, the slug of a kind of the same
    family. The manual is `<slug>.md` beside the module: paragraphs with the reason, then the headings
    `## Before` and `## After`, each with a YAML block that shows the parts of a document that matter.
    """
    family, slug = module.split(".")[-2:]
    levels = {
        Audience.CALLERS: Level(callers),
        Audience.HANDLERS: Level(handlers),
        Audience.MODELS: Level(models),
        Audience.REVIEWERS: Level(reviewers),
        Audience.OPERATORS: Level(operators),
    }
    if is_guess and Level.BREAK in levels.values():
        problem = f"{module} is a guess, so it cannot be a break"
        raise ValueError(problem)
    return ChangeKind(
        code=f"{family}/{slug.replace('_', '-')}",
        message=message,
        advice=advice,
        levels=levels,
        mirror=f"{family}/{mirror}" if mirror else "",
        is_guess=is_guess,
        module=module,
    )
