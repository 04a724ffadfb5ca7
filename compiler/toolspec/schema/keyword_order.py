"""Sorts the keywords of schemas, so that generated files do not depend on the order in a document."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from toolspec.shared.keywords import APPLICATORS, KEYWORD_ORDER, Holds

if TYPE_CHECKING:
    from toolspec.syntax.nodes import JsonValue

_RANKS = {keyword: rank for rank, keyword in enumerate(KEYWORD_ORDER)}
_LAST = len(_RANKS)
# Most schemas have few keywords, and thousands have the same ones.
_FEW = 16


def sort_keywords(schema: JsonValue) -> None:
    """Sort the keywords of a schema and its subschemas in place, as `toolspec fmt` sorts them."""
    visited: set[int] = set()
    pending = [schema]
    while pending:
        node = pending.pop()
        if not isinstance(node, dict) or id(node) in visited:
            continue
        visited.add(id(node))
        words = tuple(node)
        ordered = _sorted_few(words) if len(words) <= _FEW else _sorted(words)
        if ordered != words:
            members = [(word, node[word]) for word in ordered]
            node.clear()
            node.update(members)
        for word in node.keys() & APPLICATORS.keys():
            value = node[word]
            if isinstance(value, list):
                pending += value
            elif isinstance(value, dict) and APPLICATORS[word] is Holds.MAP:
                pending += value.values()
            else:
                pending.append(value)


def _sorted(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(words, key=lambda word: _RANKS.get(word, _LAST)))


_sorted_few = lru_cache(maxsize=4096)(_sorted)
