"""Fixes for violations of the document schema with one obvious correction."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from toolspec.diagnostics import Fix, TextEdit
from toolspec.frontend.shape.synonyms import fits, is_opposite, synonym
from toolspec.frontend.wording import TRUTHS
from toolspec.shared.spelling import nearest
from toolspec.syntax.nodes import Place

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolspec.frontend.shape.violations import Violation
    from toolspec.source import Span

_CLOSE = 0.75


def rename(place: Place, violation: Violation) -> Fix | None:
    """Return the fix that renames an unknown key to the only similar one that accepts its value."""
    properties = violation.holder.get("properties")
    known = properties if isinstance(properties, dict) else {}
    mapping = Place(place.document, place.path[:-1]).value
    present = mapping if isinstance(mapping, dict) else {}
    free = [key for key in known if key not in present]
    meant, value = violation.suggestion, place.value
    is_synonym = synonym(violation.definition, violation.key) == meant
    is_ambiguous = len(get_close_matches(violation.key, free, cutoff=_CLOSE)) > 1
    if not meant or (is_ambiguous and not is_synonym) or not fits(known, meant, value):
        return None
    fix = _replace(place, place.key_span, violation.key, meant, safe=True)
    if fix is None or not is_opposite(violation.key, meant):
        return fix
    if not isinstance(value, bool):
        return None
    opposite = str(not value).lower()
    edit = TextEdit(place.value_span, opposite)
    return Fix(f"write `{meant}: {opposite}`", (*fix.edits, edit), safe=True)


def retype(place: Place, wanted: Sequence[str]) -> Fix | None:
    """Return the fix that converts `yes` or `"true"` to a boolean, or `1.0` to a string."""
    value = place.value
    if isinstance(value, str) and "boolean" in wanted and value.casefold() in TRUTHS:
        return _edit(place, f"write `{TRUTHS[value.casefold()]}`", TRUTHS[value.casefold()])
    if isinstance(value, (bool, int, float)) and "string" in wanted:
        return _edit(place, "quote it", f'"{place.value_span.text}"')
    return None


def unquote(place: Place) -> Fix | None:
    """Return the fix that converts a quoted number."""
    return _edit(place, "take the quotes off", str(place.value))


def respell(place: Place, known: Sequence[str]) -> Fix | None:
    """Return the fix that corrects the spelling of an enum value, if only one is close."""
    value = place.value
    if not isinstance(value, str) or len(get_close_matches(value, known, cutoff=_CLOSE)) > 1:
        return None
    meant = nearest(value, known)
    return _replace(place, place.value_span, value, meant, safe=True) if meant else None


def rewrite(place: Place, span: Span, old: str, new: str) -> Fix | None:
    """Return the unsafe fix that renames something others may refer to."""
    return _replace(place, span, old, new, safe=False)


def _replace(place: Place, span: Span, old: str, new: str, *, safe: bool) -> Fix | None:
    """Return the fix that replaces a word with its quotes kept."""
    if place.location.via or span.text.strip("\"'") != old:
        return None
    edit = TextEdit(span, span.text.replace(old, new))
    return Fix(f"write `{new}`", (edit,), safe=safe)


def _edit(place: Place, title: str, text: str) -> Fix | None:
    location = place.location
    if location.via:
        return None
    return Fix(title, (TextEdit(location.value, text),), safe=True)
