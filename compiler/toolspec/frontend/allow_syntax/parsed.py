"""Result of parsing a comment or member: codes, reason, end date, scope."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from toolspec.shared.records import dataclass

if TYPE_CHECKING:
    from toolspec.diagnostics import SuppressionSource, TextEdit
    from toolspec.source import Span

# Minimum letters of a reason.
LEAST_REASON = 10
# A suppression of these is a risk and needs an end date.
RISKS = ("security/", "safety/")


class SuppressedCode(NamedTuple):
    """A code or a family, with its location."""

    code: str
    span: Span


@dataclass(frozen=True, slots=True)
class DocumentSuppression:
    """A suppression of diagnostics in a part of a document.

    `until` is the end date as `2027-01-31`, empty without one, and None for an invalid date. `span`
    is the suppression itself, `covers` the part of the same file that it applies to: None if it
    applies to nothing. `removal` deletes it from the document, if that is unambiguous.
    """

    source: SuppressionSource
    named: tuple[SuppressedCode, ...]
    reason: str
    until: str | None
    span: Span
    covers: Span | None
    removal: tuple[TextEdit, ...] = ()

    def reaches(self, span: Span) -> bool:
        """Return whether a span of its file lies in the part that it covers."""
        covers = self.covers
        return covers is not None and covers.start <= span.start <= covers.end


def is_reason(text: str) -> bool:
    """Return whether a text is long enough for a reason."""
    return len(text.strip()) >= LEAST_REASON


def is_live(until: str | None, today: str) -> bool:
    """Return whether a suppression with an optional end date still applies today."""
    return not until or until >= today
