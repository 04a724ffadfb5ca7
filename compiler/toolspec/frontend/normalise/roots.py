"""Root schemas: the target of a root reference, and parts as self-contained schemas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.schema.walk import find, subschemas
from toolspec.shared.keywords import APPLICATORS, Holds
from toolspec.syntax.nodes import value_at
from toolspec.syntax.pointer import parse_fragment

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolspec.syntax.nodes import JsonObject, JsonValue

_DEFS = "#/$defs/"


def root_of(bundle: JsonValue) -> JsonObject | None:
    """Return the end of a bundle's chain of root references.

    A boolean schema gives the empty schema. None if the chain is endless or broken: the schema has an
    error, so its references were never resolved and may be anything.
    """
    followed: set[str] = set()
    node = bundle
    while isinstance(node, dict) and "$ref" in node:
        reference = node["$ref"]
        if not isinstance(reference, str) or reference in followed:
            return None
        if not (reference == "#" or reference.startswith("#/")):
            return None
        followed.add(reference)
        path = find(bundle, parse_fragment(reference[1:]))
        if path is None:
            return None
        node = value_at(bundle, path)
    return node if isinstance(node, dict) else {}


def rerooted(bundle: JsonObject, part: JsonObject) -> JsonObject:
    """Return a part of a bundle, or a changed root of it, as a self-contained schema.

    It includes the bundle's `$defs`. If it has references to anything else in the bundle, the old
    root becomes one of the `$defs`, and they lead there.
    """
    own = bundle.get("$defs")
    definitions: JsonObject = own if isinstance(own, dict) else {}
    whole = {key: value for key, value in bundle.items() if key != "$defs"}
    part = {key: value for key, value in part.items() if key != "$defs"}
    if any(_leads_to_root(node) for _, node in subschemas(bundle)):
        name = _free("Whole", definitions)
        definitions = definitions | {name: whole}
        definitions = {key: _redirected(value, name) for key, value in definitions.items()}
        redirected = _redirected(part, name)
        part = redirected if isinstance(redirected, dict) else part
    return part | {"$defs": definitions} if definitions else part


def _leads_to_root(node: JsonObject | bool) -> bool:
    reference = node.get("$ref") if isinstance(node, dict) else None
    return isinstance(reference, str) and not reference.startswith(_DEFS)


def _redirected(node: JsonValue, name: str) -> JsonValue:
    """Return a schema whose references to the old root lead to its copy in the `$defs`."""
    if not isinstance(node, dict):
        return node
    changed: JsonObject = {}
    for key, value in node.items():
        holds = APPLICATORS.get(key)
        if key == "$ref" and _leads_to_root(node):
            changed[key] = f"{_DEFS}{name}{str(value)[1:]}"
        elif holds is Holds.MAP and isinstance(value, dict):
            changed[key] = {item: _redirected(child, name) for item, child in value.items()}
        elif holds and isinstance(value, list):
            changed[key] = [_redirected(child, name) for child in value]
        elif holds is Holds.ONE:
            changed[key] = _redirected(value, name)
        else:
            changed[key] = value
    return changed


def _free(name: str, taken: Mapping[str, JsonValue]) -> str:
    unique, number = name, 2
    while unique in taken:
        unique, number = f"{name}{number}", number + 1
    return unique
