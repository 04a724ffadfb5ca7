"""Text edits that take a member out of a mapping or give a value another text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.diagnostics import TextEdit

if TYPE_CHECKING:
    from toolspec.source import Span
    from toolspec.syntax.nodes import Place

_REST_OF_LINE = re.compile(r"[ \t]*(?:#[^\n]*)?(?:\n|$)")
_COMMA_AFTER = re.compile(r"\s*,[ \t]*(?:\n[ \t]*)?")
_COMMA_BEFORE = re.compile(r",\s*$")
_INDENT = re.compile(r"[ \t]*")


def member_span(place: Place) -> Span:
    """Return the span from a member's key to the end of its value."""
    location = place.location
    key, value = location.key, location.value
    if key is None or key.source is not value.source or key.end > value.start:
        return place.key_span
    return key.source.span(key.start, value.end)


def delete_member(place: Place) -> tuple[TextEdit, ...]:
    """Return the edit that deletes a member, with its line or its comma; empty if it is not clear how.

    A member that is reached through an alias stays: the text belongs to others too. So does the
    only member of a mapping in block style, since nothing would be left of the mapping.
    """
    location = place.location
    if location.via or location.key is None:
        return ()
    span = member_span(place)
    text = span.source.text
    line_start = text.rfind("\n", 0, span.start) + 1
    rest = _REST_OF_LINE.match(text, span.end)
    if rest and _INDENT.fullmatch(text, line_start, span.start):
        return (TextEdit(span.source.span(line_start, rest.end()), ""),)
    after = _COMMA_AFTER.match(text, span.end)
    if after:
        return (TextEdit(span.source.span(span.start, after.end()), ""),)
    before = _COMMA_BEFORE.search(text, line_start, span.start)
    if before:
        return (TextEdit(span.source.span(before.start(), span.end), ""),)
    return ()
