"""What became of each keyword of a tool's schema on its way to a provider."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from toolspec.schema.keywords import ANNOTATIONS


class Fate(StrEnum):
    """What became of a keyword; of two fates that copies of one keyword met, the later one counts.

    KEPT is enforced by the provider, HINT is shown to the model only. DROPPED refused no value. ENCODED
    is undone by the decode map. MOVED became a sentence of the description, which nothing enforces. What
    is NARROWED can no longer be said by a model, what is WIDENED lets it say more than the author
    allowed. A tool with a REFUSED keyword cannot be sent.
    """

    KEPT = "kept"
    HINT = "hint"
    DROPPED = "dropped"
    ENCODED = "encoded"
    MOVED = "moved"
    NARROWED = "narrowed"
    WIDENED = "widened"
    REFUSED = "refused"


RANK = {fate: rank for rank, fate in enumerate(Fate)}


@dataclass(frozen=True, slots=True)
class Entry:
    """The fate of one keyword; `pointer` is where it stands in `Tool.arguments`.

    A keyword that is not written and whose absence means something (an object without
    `additionalProperties` is open) has an entry, too, once a step has changed that meaning. The name
    and the description of the tool itself have the empty pointer.
    """

    pointer: str
    keyword: str
    fate: Fate
    step: str
    detail: str = ""
    is_checked: bool = False
    """Whether it is a format or an encoding that the runtime checks."""

    @property
    def widens(self) -> bool:
        """Whether the model may now say what the author does not allow; validation catches that."""
        if self.fate is Fate.MOVED:
            return self.is_checked or self.keyword not in ANNOTATIONS
        return self.fate is Fate.WIDENED

    def joined(self, other: Entry) -> Entry:
        """Return the one entry for a keyword that met two fates."""
        first, last = sorted((self, other), key=lambda each: RANK[each.fate])
        if (
            last.detail
            and first.detail
            and first.fate is last.fate
            and first.detail not in last.detail
        ):
            return replace(last, detail=f"{last.detail}; {first.detail}")
        return last
