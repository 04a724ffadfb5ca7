"""Contents of a report of changes, and the words that several formats share."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from toolspec.changes.kind import OUTSIDE, Level
from toolspec.shared.records import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from toolspec.changes.bumps import VersionAdvice
    from toolspec.changes.change import Change, Changes, Place
    from toolspec.changes.kind import Audience
    from toolspec.diagnostics import Diagnostic, Suppression
    from toolspec.source import Span


def _nowhere(_: Place) -> str:
    return ""


def _no_span(_: Place) -> Span | None:
    return None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Changes, the readers that count, and where each change is written.

    A change of at least the level `limit` fails the command. `old` and `new` name the versions;
    `old_location` and `new_location` return file and line of a fact, or an empty text, and `span` its
    span in the new version. `base` leads from the root of the repository to the project. `suppressed`
    changes fail nothing; `advice` names the bumps that the others need, and `diagnostics` are about
    the comparison.
    """

    changes: Changes
    audiences: frozenset[Audience] = OUTSIDE
    limit: Level = Level.BREAK
    old: str = ""
    new: str = ""
    old_location: Callable[[Place], str] = field(default=_nowhere, repr=False)
    new_location: Callable[[Place], str] = field(default=_nowhere, repr=False)
    span: Callable[[Place], Span | None] = field(default=_no_span, repr=False)
    base: str = ""
    suppressed: tuple[tuple[Change, Suppression], ...] = ()
    advice: tuple[VersionAdvice, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()

    def level(self, change: Change) -> Level:
        """Return the level of a change for the readers that count."""
        return change.level(self.audiences)

    def locations(self, change: Change) -> tuple[str, str]:
        """Return file and line before and now, each empty if the change is written nowhere."""
        return (
            self.old_location(change.old) if change.old else "",
            self.new_location(change.new) if change.new else "",
        )

    @property
    def counts(self) -> dict[Level, int]:
        """The number of changes by level, the gravest first."""
        counted = Counter(map(self.level, self.changes.changes))
        return {level: counted[level] for level in Level if level is not Level.NONE}

    @property
    def summary(self) -> str:
        """The counts in words, such as `2 breaks, 1 note`."""
        parts = [
            f"{number} {level}{'' if number == 1 else 's'}"
            for level, number in self.counts.items()
            if number
        ]
        text = ", ".join(parts) or "no changes"
        return f"{text}, {len(self.suppressed)} suppressed" if self.suppressed else text

    @property
    def remarks(self) -> tuple[str, ...]:
        """Sentences about versions, about what was not compared, and about suppressions."""
        return (*map(_advised, self.advice), *self._not_compared, *map(_shown, self.diagnostics))

    @property
    def _not_compared(self) -> tuple[str, ...]:
        changes = self.changes
        found = (
            ("one side does not show it", changes.not_compared),
            ("it does not compile", changes.unresolved),
        )
        return tuple(
            f"not compared, since {reason}: {', '.join(names)}" for reason, names in found if names
        )


def _advised(advice: VersionAdvice) -> str:
    has = ", and has it" if advice.is_met else f" to {advice.advised}"
    return f"{advice.service} needs a {advice.bump} bump of version {advice.old}{has}"


def _shown(diagnostic: Diagnostic) -> str:
    at = f"{line(diagnostic.span)}: " if diagnostic.span else ""
    hint = f" ({diagnostic.help})" if diagnostic.help else ""
    return f"{at}{diagnostic.severity}[{diagnostic.code}] {diagnostic.message}{hint}"


def line(span: Span | None) -> str:
    """Return file and line of a span; empty for None."""
    return f"{span.source.path}:{span.first.line}" if span else ""


def affected(levels: Mapping[Audience, Level]) -> str:
    """Return the audiences that a change affects, such as `callers break, models risk`."""
    return ", ".join(
        f"{audience} {level}" for audience, level in levels.items() if level is not Level.NONE
    )


def proof_text(change: Change) -> str:
    """Return the proof of a change in words; empty if it has none."""
    proof = change.proof
    if proof is None:
        return ""
    detail = proof.witness or proof.reason
    return f"{proof.verdict}: {detail}" if detail else str(proof.verdict)


def subject(place: Place) -> str:
    """Return the name of a tool, or else that of a service."""
    return place.tool or place.service or "the service"
