"""Keywords that look misspelt, and those of another dialect."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from toolspec.diagnostics import Fix, TextEdit
from toolspec.schema import kinds
from toolspec.schema.conversion import SAME_ANYWHERE, is_ignored
from toolspec.schema.diagnostics import diagnostic_at
from toolspec.schema.dialect import ANY_DIALECT, Dialect
from toolspec.shared.keywords import VALUES
from toolspec.shared.spelling import nearest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.schema.scope import Outline
    from toolspec.syntax.nodes import Location

# Annotations of other vocabularies that are similar to a keyword and intended.
FOREIGN = frozenset({"example", "id", "nullable", "optional", "options", "enumNames"})
KNOWN = frozenset(VALUES) | FOREIGN | ANY_DIALECT

# Replacements in 2020-12 of keywords that it does not define.
_REPLACED = {
    "$recursiveAnchor": "write `$dynamicAnchor` with a name",
    "$recursiveRef": "write `$ref`, or `$dynamicRef` with the name of an anchor",
    "additionalItems": "write `items` beside `prefixItems`",
}

# The keywords that each dialect does not define.
OTHERS = {dialect: ANY_DIALECT - dialect.keywords for dialect in Dialect}

# Minimum similarity (difflib's ratio): at 0.8 one or two letters differ; below, the meaning often
# does. Of a short word a swap of two letters is less similar: `tpye` and `type` have 0.75.
CLOSE = 0.8


def check(outline: Outline, root: Location) -> Iterator[Diagnostic]:
    """Yield a warning for each keyword similar to a known one or of another dialect."""
    dialects = outline.used_dialects
    if all(outline.uses.keys() <= used.keywords for used in dialects):
        return
    misspellings = {word: similar_keyword(word) for word in outline.uses.keys() - KNOWN}
    misspellings = {word: suggestion for word, suggestion in misspellings.items() if suggestion}
    undefined = {word for used in dialects for word in outline.uses.keys() & OTHERS[used]}
    words = misspellings.keys() | undefined
    if not words:
        return
    for number in sorted({number for word in words for number in outline.uses[word]}):
        (path, node), dialect = outline.nodes[number], outline.dialects[number]
        assert isinstance(node, dict), "it uses keywords"
        for keyword in sorted(node.keys() & words):
            location = root.at(*path, keyword)
            suggestion = misspellings.get(keyword)
            if suggestion and suggestion not in node:
                yield diagnostic_at(
                    kinds.UNKNOWN_KEYWORD,
                    location,
                    on_key=True,
                    fix=_spelling_fix(location, keyword, suggestion),
                    keyword=keyword,
                    suggestion=suggestion,
                )
            if keyword in ANY_DIALECT and is_ignored(keyword, node[keyword], dialect):
                yield diagnostic_at(
                    kinds.IGNORED_KEYWORD,
                    location,
                    on_key=True,
                    dialect=dialect.label,
                    keyword=keyword,
                    suggestion=_suggestion(keyword),
                )


def _suggestion(keyword: str) -> str:
    if keyword in SAME_ANYWHERE:
        return f"write {VALUES[keyword]}, which means the same in any dialect"
    if keyword in Dialect.DRAFT_2020_12.keywords:
        return "delete `$schema`: the schema is then 2020-12, which defines it"
    return _REPLACED.get(keyword, "delete it")


@lru_cache(maxsize=1024)
def similar_keyword(word: str) -> str:
    """Return the keyword most similar to an unknown word, or an empty text."""
    if word.startswith("x-"):
        return ""
    folded = word.casefold()
    for keyword in VALUES:
        if _has_swapped_letters(folded, keyword.casefold()):
            return keyword
    keyword = nearest(word, VALUES)
    if not keyword:
        return ""
    from difflib import SequenceMatcher

    ratio = SequenceMatcher(None, folded, keyword.casefold()).ratio()
    return keyword if ratio >= CLOSE else ""


def _has_swapped_letters(word: str, keyword: str) -> bool:
    """Return whether two letters changed places: neighbours, or any two after the first letter."""
    if len(word) != len(keyword):
        return False
    different = [number for number, letter in enumerate(word) if letter != keyword[number]]
    match different:
        case [first, second]:
            is_swap = word[first] == keyword[second] and word[second] == keyword[first]
            return is_swap and (second == first + 1 or first > 0)
        case _:
            return False


def _spelling_fix(location: Location, keyword: str, suggestion: str) -> Fix | None:
    span = location.key_span
    if keyword not in span.text:
        return None
    edit = TextEdit(span, span.text.replace(keyword, suggestion))
    return Fix(f"write `{suggestion}`", (edit,))
