"""What may stand although a rule finds it, as its author wrote it: codes, a reason, a last day, a place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from toolspec.diagnostics import Allower, TextEdit
    from toolspec.source import Span

# A reason of fewer letters is none.
LEAST_REASON = 10
# What is allowed there is a risk, and needs a last day.
RISKS = ("security/", "safety/")


class Named(NamedTuple):
    """A code or a family, and where it is written."""

    code: str
    span: Span


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a document says of the findings in a part of it.

    `until` is the last day as `2027-01-31`, empty where there is none, and None where what stands there
    is no day. `span` is the whole of it, `covers` the part of the same file that it is about: None
    where it stands at nothing. `removal` takes a member out of the document, where it is clear how.
    """

    source: Allower
    named: tuple[Named, ...]
    reason: str
    until: str | None
    span: Span
    covers: Span | None
    removal: tuple[TextEdit, ...] = ()

    def reaches(self, span: Span) -> bool:
        """Whether a place in its file lies in what it is about."""
        covers = self.covers
        return covers is not None and covers.start <= span.start <= covers.end


def is_reason(text: str) -> bool:
    """Whether a text says why."""
    return len(text.strip()) >= LEAST_REASON


def is_day(text: str) -> bool:
    """Whether a text is a day of the calendar, as `2027-01-31`."""
    from datetime import date

    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def is_live(until: str | None, today: str) -> bool:
    """Whether what ends on a day, if on any, holds today; both as `2027-01-31`."""
    return not until or until >= today
