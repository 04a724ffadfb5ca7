"""Walks a document along its schema: which properties of which definition occur in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.frontend.shape.contract import contract

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from toolspec.syntax.nodes import JsonObject, JsonValue

# Embedded JSON Schemas are read by the schema floor.
EMBEDDED = frozenset({"jsonSchema", "objectSchema", "schemaKeywords", "definitions"})
BRANCHES = {"none": "authNone", "oauth2": "authOauth2", "custom": "authCustom"}


def declared() -> dict[str, frozenset[str]]:
    """Return the properties of each definition that closes its keys; of the root under ``."""
    schema = contract()
    every = {"": schema, **schema["$defs"]}
    return {
        name: frozenset(each["properties"])
        for name, each in every.items()
        if "properties" in each and name not in EMBEDDED and name != "auth"
    }


def walk(value: JsonValue, name: str, see: Callable[[JsonObject, str], JsonObject]) -> JsonValue:
    """Return a value with each of its mappings replaced by what `see` makes of it and its definition."""
    return _walk(value, contract() if not name else contract()["$defs"][name], name, see)


def _walk(value, node, name, see):  # noqa: ANN001, ANN202 - JSON against a schema that is itself JSON
    while "$ref" in node or [*node.get("allOf", [{}])[0]] == ["$ref"]:
        node = node if "$ref" in node else node["allOf"][0]
        name = node["$ref"].removeprefix("#/$defs/")
        node = contract()["$defs"][name]
    if name in EMBEDDED:
        return value
    if name == "auth" and isinstance(value, dict):
        name = BRANCHES[value["type"]]
        node = contract()["$defs"][name]
    if isinstance(value, list):
        return [_walk(each, node.get("items", {}), name, see) for each in value]
    if not isinstance(value, dict):
        return value
    properties, others = node.get("properties", {}), node.get("additionalProperties")
    others = others if isinstance(others, dict) else {}
    inside = {key: _walk(each, properties.get(key, others), "", see) for key, each in value.items()}
    return see(inside, name) if properties else inside


def used(value: JsonValue, name: str = "") -> Iterator[tuple[str, str]]:
    """Yield each definition and property of it that occurs in a document of a definition."""
    found: list[tuple[str, str]] = []

    def note(mapping: JsonObject, of: str) -> JsonObject:
        found.extend((of, key) for key in mapping)
        return mapping

    walk(value, name, note)
    yield from found
