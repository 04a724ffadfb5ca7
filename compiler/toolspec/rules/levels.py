"""How deeply the members of objects are nested in a schema."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.schema.keywords import APPLICATORS, CONTAINERS
from toolspec.schema.walk import children, find
from toolspec.syntax.nodes import value_at
from toolspec.syntax.pointer import parse_fragment

if TYPE_CHECKING:
    from toolspec.syntax.nodes import JsonValue

_ENTERING = frozenset(APPLICATORS)
# A chain of references that is longer is not followed to its end.
_LONGEST = 200


class Levels:
    """Levels of named members below the schemas of a root; each reference is followed once.

    Bundles share the copies of a definition: `leaves` has the levels of those without references,
    by their identity, with the copies themselves.
    """

    def __init__(self, root: JsonValue, leaves: dict[int, tuple[JsonValue, int]]) -> None:
        self._root = root
        self._known = {"#": 0}
        self._leaves = leaves
        self._followed = 0

    def below(self, node: JsonValue, depth: int = 0) -> int:
        """Return the most named members on a way into a schema; one that holds itself counts once."""
        if not isinstance(node, dict) or depth > _LONGEST:
            return 0
        deepest = self._behind(node.get("$ref"), depth)
        if _ENTERING.isdisjoint(node):
            return deepest
        for path, child in children(node):
            if path[0] not in CONTAINERS:
                deepest = max(deepest, self.below(child, depth + 1) + (path[0] == "properties"))
        return deepest

    def _behind(self, reference: JsonValue, depth: int) -> int:
        if not isinstance(reference, str) or not (reference + "/").startswith("#/"):
            return 0  # an anchor, or a schema that an identifier names
        self._followed += 1
        if reference not in self._known:
            self._known[reference] = 0
            path = find(self._root, parse_fragment(reference[1:]))
            target = None if path is None else value_at(self._root, path)
            if id(target) in self._leaves:
                self._known[reference] = self._leaves[id(target)][1]
                return self._known[reference]
            followed = self._followed
            levels = self._known[reference] = self.below(target, depth + 1)
            if self._followed == followed:
                self._leaves[id(target)] = target, levels
        return self._known[reference]
