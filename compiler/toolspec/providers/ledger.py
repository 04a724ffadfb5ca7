"""Ledger entries: the outcome of each keyword of a tool's schema for a provider."""

from __future__ import annotations

from enum import StrEnum

from toolspec.shared.keywords import ANNOTATIONS
from toolspec.shared.records import dataclass, replace


class Outcome(StrEnum):
    """Outcome of a keyword, in order of gravity; the gravest of a keyword's copies counts.

    KEPT is enforced by the provider, HINT is only shown to the model. DROPPED rejected no value.
    ENCODED is undone by the decode map. MOVED became a sentence of the description, which nothing
    enforces. With NARROWED a model cannot produce all values, with WIDENED it can produce values
    that the author forbids. A tool with a REFUSED keyword cannot be sent.
    """

    KEPT = "kept"
    HINT = "hint"
    DROPPED = "dropped"
    ENCODED = "encoded"
    MOVED = "moved"
    NARROWED = "narrowed"
    WIDENED = "widened"
    REFUSED = "refused"


RANK = {outcome: rank for rank, outcome in enumerate(Outcome)}


@dataclass(frozen=True, slots=True)
class Entry:
    """The outcome of one keyword; `pointer` is its location in `Tool.arguments`.

    An absent keyword with a default meaning (an object without `additionalProperties` is open) also
    has an entry once a step has changed that meaning. The name and the description of the tool
    itself have the empty pointer.
    """

    pointer: str
    keyword: str
    outcome: Outcome
    step: str
    detail: str = ""
    is_checked: bool = False
    """Whether it is a format or an encoding that the runtime checks."""

    @property
    def widens(self) -> bool:
        """Whether the model can produce values that the author forbids; validation catches them."""
        if self.outcome is Outcome.MOVED:
            return self.is_checked or self.keyword not in ANNOTATIONS
        return self.outcome is Outcome.WIDENED

    def joined(self, other: Entry) -> Entry:
        """Return one entry for two of the same keyword, the graver of both."""
        first, last = sorted((self, other), key=lambda entry: RANK[entry.outcome])
        if (
            last.detail
            and first.detail
            and first.outcome is last.outcome
            and first.detail not in last.detail
        ):
            return replace(last, detail=f"{last.detail}; {first.detail}")
        return last
