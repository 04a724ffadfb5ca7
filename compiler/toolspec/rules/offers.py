"""What a rule about providers visits: a tool as it is sent to each of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolspec.diagnostics import Label, Subject
from toolspec.providers.origin import origin
from toolspec.rules.visits import ToolVisit
from toolspec.rules.words import listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from toolspec.diagnostics import Diagnostic, DiagnosticKind
    from toolspec.ir import Service, Tool
    from toolspec.providers.ledger import Entry, Fate
    from toolspec.providers.lowering import Lowered
    from toolspec.providers.profile import Profile
    from toolspec.source import Span

# How many more places a finding points at.
LABELS = 5


@dataclass(frozen=True, slots=True)
class Loss:
    """What became of one keyword of a tool on its way to some targets, which agree about it."""

    entry: Entry
    targets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OffersVisit:
    """One tool as it is sent to each provider that a build is for."""

    service: Service
    tool: Tool
    offers: tuple[tuple[Profile, Lowered], ...]

    @property
    def subject(self) -> Subject:
        """What a finding at the tool is about."""
        return ToolVisit(self.service, self.tool).subject

    def at(self, *steps: str | int) -> Span | None:
        """Return where something of the tool stands; the tool itself where it was left out."""
        return ToolVisit(self.service, self.tool).at(*steps)

    def losses(self, *steps: str, fates: Iterable[Fate] = ()) -> tuple[Loss, ...]:
        """Return what some steps of lowering did to the tool, each keyword once with its targets."""
        found: dict[tuple[str, str], tuple[Entry, list[str]]] = {}
        for profile, lowered in self.offers:
            for entry in lowered.ledger:
                if entry.step in steps and (not fates or entry.fate in fates):
                    key = (entry.pointer, entry.keyword)
                    found.setdefault(key, (entry, []))[1].append(profile.name)
        return tuple(Loss(entry, tuple(names)) for entry, names in found.values())

    def lost(self, kind: DiagnosticKind, losses: Sequence[Loss]) -> Iterator[Diagnostic]:
        """Yield one finding for all losses of a sort: at the first, the others labelled.

        Its message speaks of `tool` and `targets`, its label of the keywords.
        """
        if not losses:
            return
        targets = dict.fromkeys(name for each in losses for name in each.targets)
        places = [origin(self.service, self.tool, each.entry.pointer) for each in losses]
        spans = [place.key_span if place else None for place in places]
        yield kind.at(
            spans[0],
            listed(dict.fromkeys(each.entry.keyword for each in losses)),
            labels=(Label(span, "and this") for span in spans[1 : 1 + LABELS] if span),
            subject=Subject(
                self.service.name,
                self.tool.names.full,
                places[0].pointer if places[0] else losses[0].entry.pointer,
            ),
            tool=self.tool.name,
            targets=", ".join(targets),
        )

    def refused(
        self, kind: DiagnosticKind, entries: Iterable[tuple[Profile, Entry]]
    ) -> Iterator[Diagnostic]:
        """Yield a finding for each keyword of some entries, at its line, with the targets it is about.

        Its message speaks of `tool`, `targets` and `reason`.
        """
        targets: dict[tuple[str, str], list[str]] = {}
        for profile, entry in entries:
            targets.setdefault((entry.pointer, entry.detail), []).append(profile.name)
        for (pointer, detail), names in targets.items():
            place = origin(self.service, self.tool, pointer)
            yield kind.at(
                place.span if place else None,
                subject=Subject(
                    self.service.name, self.tool.names.full, place.pointer if place else pointer
                ),
                tool=self.tool.names.full,
                targets=", ".join(dict.fromkeys(names)),
                reason=detail or f"it has no form there for {pointer or 'its arguments'}",
            )
