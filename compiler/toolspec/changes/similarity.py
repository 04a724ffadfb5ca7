"""Similarity of tools: shared words of their descriptions and shared members of their schemas."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from toolspec.shared.json_values import JsonObject, JsonValue

SAME_TOOL = 0.8
"""Similarity from which two tools count as one that was renamed and edited."""

DUPLICATE = 0.9
"""Similarity from which two tools count as near-duplicates."""

_LEAST_SHARED = 5
_LEAST_OF_EACH = 0.5
_COMMON = 40
_CANDIDATES = 8
_DEEPEST = 4
_WORD = re.compile(r"\w+")


class Features(NamedTuple):
    """Words of a description and its members' descriptions, and paths of members with their types."""

    words: frozenset[str]
    members: frozenset[str]


class SimilarTools:
    """Finds the tools of one side that resemble another tool, by an index of their features.

    Features that many tools share find no candidates, so that a search costs about the same in a large
    service as in a small one.
    """

    def __init__(self, tools: Mapping[str, JsonObject]) -> None:
        self._features = {name: features(facts) for name, facts in tools.items()}
        self._names: dict[str, list[str]] = {}
        for name, of in self._features.items():
            for feature in (*of.words, *of.members):
                self._names.setdefault(feature, []).append(name)

    def like(self, facts: JsonObject, threshold: float) -> list[tuple[float, str]]:
        """Return similarities and names of the tools above a threshold, the most similar first."""
        wanted = features(facts)
        counts: Counter[str] = Counter()
        for feature in (*wanted.words, *wanted.members):
            names = self._names.get(feature, ())
            if len(names) <= _COMMON:
                counts.update(names)
        candidates = sorted(counts, key=lambda name: (-counts[name], name))[:_CANDIDATES]
        scores = ((similarity(wanted, self._features[name]), name) for name in candidates)
        return sorted(
            ((score, name) for score, name in scores if score >= threshold),
            key=lambda scored: (-scored[0], scored[1]),
        )


def features(facts: JsonObject) -> Features:
    """Return the features of a tool."""
    members, texts = [], [facts.get("description")]
    for fact in ("input", "output"):
        for path, schema in _members(facts.get(fact), fact, 0):
            members.append(f"{path}:{schema.get('type')}")
            texts.append(schema.get("description"))
    words = (word for text in texts if isinstance(text, str) for word in _words(text))
    return Features(frozenset(words), frozenset(members))


def similarity(one: Features, other: Features) -> float:
    """Return a number from 0, nothing in common, to 1; 0 too where little can be compared."""
    shared = one.words & other.words, one.members & other.members
    if sum(map(len, shared)) < _LEAST_SHARED:
        return 0
    unions = one.words | other.words, one.members | other.members
    ratios = [
        len(common) / len(union) for common, union in zip(shared, unions, strict=True) if union
    ]
    return 0 if min(ratios) < _LEAST_OF_EACH else sum(ratios) / len(ratios)


def _members(schema: JsonValue, path: str, depth: int) -> Iterator[tuple[str, JsonObject]]:
    if not isinstance(schema, dict) or depth > _DEEPEST:
        return
    members = schema.get("properties")
    for name, member in members.items() if isinstance(members, dict) else ():
        if isinstance(member, dict):
            yield f"{path}.{name}", member
            yield from _members(member, f"{path}.{name}", depth + 1)
    yield from _members(schema.get("items"), f"{path}[]", depth + 1)


def _words(text: str) -> Iterable[str]:
    return (word.removesuffix("s") for word in _WORD.findall(text.casefold()))
