"""What a rule about providers visits: a tool as it is sent to each of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolspec.diagnostics import Label, Subject
from toolspec.providers.ledger import Fate
from toolspec.providers.origin import origin
from toolspec.rules.visits import ToolVisit
from toolspec.rules.words import listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from toolspec.diagnostics import Diagnostic, DiagnosticKind
    from toolspec.ir import Service, Tool
    from toolspec.providers.ledger import Entry
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
        """Return what some steps of lowering did to the tool, each keyword once with its targets.

        What they refused is not among it: `refused` is about that.
        """
        found: dict[tuple[str, str], tuple[Entry, list[str]]] = {}
        for profile, lowered in self.offers:
            for entry in lowered.ledger:
                wanted = entry.fate in fates if fates else entry.fate is not Fate.REFUSED
                if entry.step in steps and wanted:
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
        """Yield a finding for each reason of some entries: at the first keyword, the others labelled.

        Its message speaks of `tool`, `targets` and `reason`.
        """
        reasons: dict[str, tuple[dict[str, None], dict[str, None]]] = {}
        for profile, entry in entries:
            targets, pointers = reasons.setdefault(entry.detail, ({}, {}))
            targets[profile.name] = pointers[entry.pointer] = None
        for reason, (targets, pointers) in reasons.items():
            places = [origin(self.service, self.tool, each) for each in pointers]
            spans = dict.fromkeys(place.key_span for place in places if place)
            first, *others = spans or [None]
            yield kind.at(
                first,
                labels=(Label(span, "and this") for span in others[:LABELS] if span),
                subject=Subject(
                    self.service.name,
                    self.tool.names.full,
                    places[0].pointer if places[0] else next(iter(pointers)),
                ),
                tool=self.tool.names.full,
                targets=", ".join(targets),
                reason=reason or "there is no such form",
            )
