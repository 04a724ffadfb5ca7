"""Visit for rules about providers: a tool as it is sent to each of them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from toolspec.diagnostics import Label, Subject
from toolspec.providers.ledger import Outcome
from toolspec.providers.origin import origin
from toolspec.rules.grouping import LABELS, together
from toolspec.rules.visits import ToolVisit
from toolspec.rules.words import listed
from toolspec.shared.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from toolspec.diagnostics import Diagnostic, DiagnosticKind
    from toolspec.providers.ledger import Entry
    from toolspec.providers.lowering import LoweredTool
    from toolspec.providers.profile import Profile
    from toolspec.source import Span


# Advice by the step that refused.
_ADVICE = {
    "close-objects": "list the members of the object in `properties`",
    "form-untyped": "add a `type`, and describe the items or members",
    "within-limits": "make the schema smaller, or split the tool",
}


@dataclass(frozen=True, slots=True)
class Loss:
    """The outcome of one keyword of a tool, common to some targets."""

    entry: Entry
    targets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LoweredVisit(ToolVisit):
    """One tool as it is sent to each provider of a build."""

    lowered_tools: tuple[tuple[Profile, LoweredTool], ...]

    def losses(self, *steps: str, outcomes: Iterable[Outcome] = ()) -> tuple[Loss, ...]:
        """Return the outcomes that some lowering steps caused, each keyword once with its targets.

        Refused keywords are excluded, see `refused`.
        """
        losses: dict[tuple[str, str], tuple[Entry, list[str]]] = {}
        for profile, lowered in self.lowered_tools:
            for entry in lowered.ledger:
                is_included = (
                    entry.outcome in outcomes if outcomes else entry.outcome is not Outcome.REFUSED
                )
                if entry.step in steps and is_included:
                    key = (entry.pointer, entry.keyword)
                    losses.setdefault(key, (entry, []))[1].append(profile.name)
        return tuple(Loss(entry, tuple(names)) for entry, names in losses.values())

    def lost(self, kind: DiagnosticKind, losses: Sequence[Loss]) -> Iterator[Diagnostic]:
        """Yield one diagnostic for all losses: at the first, with labels at the others.

        Its message has the parameters `tool` and `targets`, its label the keywords.
        """
        if losses:
            yield together(losses, partial(self._lost, kind), "and this")

    def refused(
        self, kind: DiagnosticKind, entries: Iterable[tuple[Profile, Entry]]
    ) -> Iterator[Diagnostic]:
        """Yield a diagnostic for each reason: at the first keyword, with labels at the others.

        Its message has the parameters `tool`, `targets` and `reason`, its hint `advice`. It has no
        parts, since a tool is sent as a whole or not at all.
        """
        reasons: dict[str, list[tuple[Profile, Entry]]] = {}
        for profile, entry in entries:
            reasons.setdefault(entry.detail, []).append((profile, entry))
        for reason, refusals in reasons.items():
            targets = dict.fromkeys(profile.name for profile, _ in refusals)
            pointers = dict.fromkeys(entry.pointer for _, entry in refusals)
            (span, subject), *others = map(self._origin, pointers)
            spans = [other for other, _ in others if other and other != span]
            yield kind.at(
                span,
                labels=(Label(other, "and this") for other in list(dict.fromkeys(spans))[:LABELS]),
                subject=subject,
                tool=self.tool.names.full,
                targets=", ".join(targets),
                reason=reason or "the provider supports no such schema",
                advice=_ADVICE.get(refusals[0][1].step, "express it in another way"),
            )

    def _lost(self, kind: DiagnosticKind, losses: Sequence[Loss]) -> Diagnostic:
        span, subject = self._origin(losses[0].entry.pointer)
        keywords = listed(dict.fromkeys(losse.entry.keyword for losse in losses))
        targets = ", ".join(dict.fromkeys(name for losse in losses for name in losse.targets))
        return kind.at(span, keywords, subject=subject, tool=self.tool.name, targets=targets)

    def _origin(self, pointer: str) -> tuple[Span | None, Subject]:
        """Return the source location of a keyword of the tool's arguments, and the subject."""
        location = origin(self.service, self.tool, pointer)
        subject = Subject(
            self.service.name, self.tool.names.full, location.pointer if location else pointer
        )
        return location.key_span if location else None, subject
