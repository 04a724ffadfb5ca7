"""Schemas of which it is plain that some value satisfies them, so that nobody need prove it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.schema.keywords import ANNOTATIONS

if TYPE_CHECKING:
    from collections.abc import Container

    from toolspec.schema.bundle import Key, Linked
    from toolspec.syntax.nodes import JsonObject, JsonValue
    from toolspec.syntax.pointer import Path

# Each of these leaves something by itself, whatever it says, as far as `contradictions` found nothing.
_SCALAR = (
    ANNOTATIONS | {"type", "enum"},
    ANNOTATIONS | {"type", "const"},
    ANNOTATIONS | {"type", "minimum", "maximum"},
    ANNOTATIONS | {"type", "minLength", "maxLength"},
    ANNOTATIONS | {"type", "pattern"},
    ANNOTATIONS | {"type", "items", "maxItems", "uniqueItems"},
)
_OBJECT = ANNOTATIONS | {"type", "properties", "required", "additionalProperties"}


class Plain:
    """Looks for a value of a schema: scalars, and objects of what is required.

    `sound` are the schemas of which it is known already that nothing was proved against them.
    """

    def __init__(self, linked: Linked, sound: Container[Key]) -> None:
        self._root = linked.resource.value
        # Only a reference to the whole of another schema says that the two are satisfied alike.
        self._sound = {link.holder for link in linked.links if link.to in sound and not link.path}

    def is_satisfiable(self) -> bool:
        """Whether it is plain that some value satisfies the schema; False says nothing."""
        return self._check(self._root, ())

    def _check(self, node: JsonValue, path: Path) -> bool:
        if isinstance(node, bool):
            return node
        if not isinstance(node, dict):
            return False
        words = node.keys()
        if path in self._sound and words <= ANNOTATIONS | {"$ref"}:
            return True
        if any(words <= known for known in _SCALAR):
            return "maximum" not in words or "minimum" not in words or _has_whole_bounds(node)
        return words <= _OBJECT and self._has_all_required(node, path)

    def _has_all_required(self, node: JsonObject, path: Path) -> bool:
        required, properties = node.get("required", []), node.get("properties", {})
        if not isinstance(required, list) or not isinstance(properties, dict):
            return False
        is_open = node.get("additionalProperties", True) is True
        for name in map(str, required):
            if name in properties:
                if not self._check(properties[name], (*path, "properties", name)):
                    return False
            elif not is_open:
                return False
        return True


def _has_whole_bounds(node: JsonObject) -> bool:
    """Whether bounds are whole numbers: between others there may be no integer."""
    return isinstance(node["minimum"], int) and isinstance(node["maximum"], int)
