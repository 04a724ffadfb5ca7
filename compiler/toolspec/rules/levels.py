"""Nesting depth of object members in a schema."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.schema.walk import find
from toolspec.shared.keywords import APPLICATORS, CONTAINERS, Holds
from toolspec.shared.records import dataclass, field
from toolspec.syntax.nodes import value_at
from toolspec.syntax.pointer import parse_fragment

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.syntax.nodes import JsonObject, JsonValue

_ENTERING = frozenset(APPLICATORS)
_LEADING = _ENTERING | {"$ref"}
_ESCAPING = frozenset("~%")
# Longest chain of references that is followed to its end.
_LONGEST = 200


@dataclass(slots=True)
class DefinitionLevels:
    """Cache of the depths of a service's definitions, whose copies its bundles share.

    Both are by identity, with the definition itself: `levels` for definitions without references,
    `outlines` with the levels outside of references and, for each reference, its levels and steps.
    """

    levels: dict[int, tuple[JsonValue, int]] = field(default_factory=dict)
    outlines: dict[int, tuple[JsonValue, int, list[tuple[int, int, str]]]] = field(
        default_factory=dict
    )


class Levels:
    """Levels of named members below the schemas of a root; each reference is followed once."""

    def __init__(self, root: JsonValue, definitions: DefinitionLevels) -> None:
        self._root = root
        self._definitions = definitions
        self._met = {"#": 0}
        self._followed = 0

    def below(self, node: JsonValue, depth: int = 0) -> int:
        """Return the most nested named members in a schema; a recursive one counts once."""
        outline = self._definitions.outlines.get(id(node))
        if outline is None:
            references: list[tuple[int, int, str]] = []
            outline = node, _outlined(node, references), references
            if depth:
                self._definitions.outlines[id(node)] = outline
        _, deepest, references = outline
        for levels, steps, reference in references:
            if depth + steps <= _LONGEST:
                deepest = max(deepest, levels + self._behind(reference, depth + steps))
        return deepest

    def _behind(self, reference: str, depth: int) -> int:
        self._followed += 1
        if reference not in self._met:
            self._met[reference] = 0
            target = self._target(reference)
            if id(target) in self._definitions.levels:
                self._met[reference] = self._definitions.levels[id(target)][1]
                return self._met[reference]
            followed = self._followed
            levels = self._met[reference] = self.below(target, depth + 1)
            if self._followed == followed:
                self._definitions.levels[id(target)] = target, levels
        return self._met[reference]

    def _target(self, reference: str) -> JsonValue:
        before, _, name = reference.rpartition("/")
        if before == "#/$defs" and _ESCAPING.isdisjoint(name) and isinstance(self._root, dict):
            definitions = self._root.get("$defs")
            return definitions.get(name) if isinstance(definitions, dict) else None
        path = find(self._root, parse_fragment(reference[1:]))
        return None if path is None else value_at(self._root, path)


def _outlined(
    node: JsonValue, references: list[tuple[int, int, str]], levels: int = 0, steps: int = 0
) -> int:
    """Return the most levels in a schema itself, and append each reference in it."""
    if not isinstance(node, dict):
        return levels
    reference = node.get("$ref")
    # Any other is an anchor, or the identifier of a schema.
    if isinstance(reference, str) and (reference + "/").startswith("#/"):
        references.append((levels, steps, reference))
    deepest = levels
    if not _ENTERING.isdisjoint(node):
        for keyword, child in _entered(node):
            below = levels + (keyword == "properties")
            # Most members are leaves.
            if isinstance(child, dict) and not _LEADING.isdisjoint(child):
                below = _outlined(child, references, below, steps + 1)
            deepest = max(deepest, below)
    return deepest


def _entered(node: JsonObject) -> Iterator[tuple[str, JsonValue]]:
    """Yield the subschemas that a schema enters, with the keyword of each."""
    for keyword, value in node.items():
        holds = APPLICATORS.get(keyword)
        if holds is None or keyword in CONTAINERS:
            continue
        if holds is Holds.MAP:
            for child in value.values() if isinstance(value, dict) else ():
                yield keyword, child
        elif isinstance(value, list):
            for child in value:
                yield keyword, child
        elif holds is Holds.ONE:
            yield keyword, value
