"""Keywords that look misspelt, and those that the declared dialect is too old for."""

from __future__ import annotations

from difflib import SequenceMatcher
from functools import lru_cache
from typing import TYPE_CHECKING

from toolspec.diagnostics import Fix, TextEdit, nearest
from toolspec.schema import kinds
from toolspec.schema.dialect import Dialect
from toolspec.schema.findings import finding
from toolspec.schema.keywords import NEWER, VALUES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.schema.findings import Places
    from toolspec.schema.walk import Subschema
    from toolspec.syntax.nodes import Place

# Annotations of other vocabularies that are close to a keyword and no slip.
FOREIGN = frozenset(
    {"example", "id", "nullable", "optional", "options", "enumNames", "$recursiveRef"}
)
KNOWN = frozenset(VALUES) | FOREIGN

# From 0.8 up it is one or two letters (difflib's ratio); below, words of another meaning begin.
CLOSE = 0.8


def check(nodes: Iterable[Subschema], dialect: Dialect, places: Places) -> Iterator[Diagnostic]:
    """Yield a warning for each unknown keyword close to a known one, and each that is too new."""
    for path, node in nodes:
        if not isinstance(node, dict):
            continue
        for keyword in [] if node.keys() <= KNOWN else [each for each in node if each not in KNOWN]:
            suggestion = meant(keyword)
            if suggestion and suggestion not in node:
                place = places(path) / keyword
                yield finding(
                    kinds.UNKNOWN_KEYWORD,
                    place,
                    on_key=True,
                    fix=_respelt(place, keyword, suggestion),
                    keyword=keyword,
                    suggestion=suggestion,
                )
        if dialect is Dialect.DRAFT_07:
            for keyword in sorted(node.keys() & NEWER):
                yield finding(
                    kinds.NEWER_KEYWORD, places(path) / keyword, on_key=True, keyword=keyword
                )


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
