"""Fixes for violations of the document schema with one obvious correction."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from toolspec.diagnostics import Fix, TextEdit
from toolspec.frontend.shape.synonyms import fits, is_opposite, synonym
from toolspec.frontend.wording import TRUTHS
from toolspec.shared.spelling import nearest
from toolspec.syntax.nodes import Location

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolspec.frontend.shape.violations import Violation
    from toolspec.source import Span

_CLOSE = 0.75


def rename(location: Location, violation: Violation) -> Fix | None:
    """Return the fix that renames an unknown key to the only similar one that accepts its value."""
    properties = violation.holder.get("properties")
    declared = properties if isinstance(properties, dict) else {}
    mapping = Location(location.document, location.path[:-1]).value
    present = mapping if isinstance(mapping, dict) else {}
    free = [key for key in declared if key not in present]
    intended, value = violation.suggestion, location.value
    is_synonym = synonym(violation.definition, violation.key) == intended
    is_ambiguous = len(get_close_matches(violation.key, free, cutoff=_CLOSE)) > 1
    if not intended or (is_ambiguous and not is_synonym) or not fits(declared, intended, value):
        return None
    fix = _replace(location, location.key_span, violation.key, intended, safe=True)
    if fix is None or not is_opposite(violation.key, intended):
        return fix
    if not isinstance(value, bool):
        return None
    opposite = str(not value).lower()
    edit = TextEdit(location.value_span, opposite)
    return Fix(f"write `{intended}: {opposite}`", (*fix.edits, edit), safe=True)


def retype(location: Location, types: Sequence[str]) -> Fix | None:
    """Return the fix that converts `yes` or `"true"` to a boolean, or `1.0` to a string."""
    value = location.value
    if isinstance(value, str) and "boolean" in types and value.casefold() in TRUTHS:
        return _edit(location, f"write `{TRUTHS[value.casefold()]}`", TRUTHS[value.casefold()])
    if isinstance(value, (bool, int, float)) and "string" in types:
        return _edit(location, "quote it", f'"{location.value_span.text}"')
    return None


def unquote(location: Location) -> Fix | None:
    """Return the fix that converts a quoted number."""
    return _edit(location, "take the quotes off", str(location.value))


def respell(location: Location, choices: Sequence[str]) -> Fix | None:
    """Return the fix that corrects the spelling of an enum value, if only one is close."""
    value = location.value
    if not isinstance(value, str) or len(get_close_matches(value, choices, cutoff=_CLOSE)) > 1:
        return None
    intended = nearest(value, choices)
    return _replace(location, location.value_span, value, intended, safe=True) if intended else None


def rewrite(location: Location, span: Span, old: str, new: str) -> Fix | None:
    """Return the unsafe fix that renames something others may refer to."""
    return _replace(location, span, old, new, safe=False)


def _replace(location: Location, span: Span, old: str, new: str, *, safe: bool) -> Fix | None:
    """Return the fix that replaces a word with its quotes kept."""
    if location.spans.via or span.text.strip("\"'") != old:
        return None
    edit = TextEdit(span, span.text.replace(old, new))
    return Fix(f"write `{new}`", (edit,), safe=safe)


def _edit(location: Location, title: str, text: str) -> Fix | None:
    spans = location.spans
    if spans.via:
        return None
    return Fix(title, (TextEdit(spans.value, text),), safe=True)
