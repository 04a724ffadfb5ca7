"""Keywords that look misspelt, and those that the declared dialect is too old for."""

from __future__ import annotations

from difflib import SequenceMatcher
from functools import lru_cache
from typing import TYPE_CHECKING

from toolspec.diagnostics import Fix, TextEdit
from toolspec.schema import kinds
from toolspec.schema.dialect import Dialect
from toolspec.schema.findings import finding
from toolspec.schema.keywords import NEWER, VALUES
from toolspec.shared.spelling import nearest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.schema.resource import Resource
    from toolspec.syntax.nodes import Place

# Annotations of other vocabularies that are close to a keyword and no slip.
FOREIGN = frozenset(
    {"example", "id", "nullable", "optional", "options", "enumNames", "$recursiveRef"}
)
KNOWN = frozenset(VALUES) | FOREIGN

# From 0.8 up it is one or two letters (difflib's ratio); below, words of another meaning begin.
CLOSE = 0.8


def check(resource: Resource, dialect: Dialect) -> Iterator[Diagnostic]:
    """Yield a warning for each unknown keyword close to a known one, and each that is too new."""
    slips = {word: meant(word) for word in resource.words - KNOWN}
    slips = {word: suggestion for word, suggestion in slips.items() if suggestion}
    newer = resource.words & NEWER if dialect is Dialect.DRAFT_07 else set()
    for path, node in resource.using(slips.keys() | newer):
        for keyword in sorted(node.keys() & (slips.keys() | newer)):
            place = resource.places((*path, keyword))
            suggestion = slips.get(keyword)
            if suggestion and suggestion not in node:
                yield finding(
                    kinds.UNKNOWN_KEYWORD,
                    place,
                    on_key=True,
                    fix=_respelt(place, keyword, suggestion),
                    keyword=keyword,
                    suggestion=suggestion,
                )
            if keyword in newer:
                yield finding(kinds.NEWER_KEYWORD, place, on_key=True, keyword=keyword)


@lru_cache(maxsize=1024)
def meant(word: str) -> str:
    """Return the keyword that an unknown word is close to; the empty string for a word of its own."""
    if word.startswith("x-"):
        return ""
    found = nearest(word, VALUES)
    ratio = SequenceMatcher(None, word.casefold(), found.casefold()).ratio()
    return found if found and ratio >= CLOSE else ""


def _respelt(place: Place, keyword: str, suggestion: str) -> Fix | None:
    span = place.key_span
    if keyword not in span.text:
        return None
    edit = TextEdit(span, span.text.replace(keyword, suggestion))
    return Fix(f"write `{suggestion}`", (edit,))
