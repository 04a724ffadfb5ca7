"""The document schema itself: valid, closed, described, and every example of it true."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jsonschema_rs
import pytest
from toolspec.frontend.shape.contract import contract
from toolspec.frontend.shape.explain import _EXPLANATIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

# Keywords that assert nothing by themselves, or only through the schemas they hold.
SILENT = frozenset(
    [
        "$schema",
        "$comment",
        "$ref",
        "$defs",
        "title",
        "description",
        "examples",
        "default",
        "defaultSnippets",
        "enumDescriptions",
        "properties",
        "patternProperties",
        "items",
        "propertyNames",
        "allOf",
        "if",
        "then",
        "minimum",
    ]
)


def subschemas(node: Any, path: str = "#") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every schema of the document schema with its place."""
    if not isinstance(node, dict):
        return
    yield path, node
    for keyword in ("properties", "$defs", "patternProperties"):
        for name, child in node.get(keyword, {}).items():
            yield from subschemas(child, f"{path}/{keyword}/{name}")
    for keyword in ("items", "additionalProperties", "propertyNames", "if", "then", "not"):
        yield from subschemas(node.get(keyword), f"{path}/{keyword}")
    for keyword in ("allOf", "anyOf", "oneOf"):
        for index, child in enumerate(node.get(keyword, [])):
            yield from subschemas(child, f"{path}/{keyword}/{index}")


EVERY = dict(subschemas(contract()))
PROPERTIES = {
    f"{path}/properties/{name}": child
    for path, node in EVERY.items()
    if "/if" not in path
    for name, child in node.get("properties", {}).items()
}


def test_it_is_valid_by_its_metaschema() -> None:
    jsonschema_rs.meta.validate(contract())


@pytest.mark.parametrize("path", PROPERTIES)
def test_a_property_is_described_with_examples_that_hold(path: str) -> None:
    node = PROPERTIES[path]
    assert node.get("description", "").strip().endswith(".")
    assert node.get("examples")
    schema = {"$schema": contract()["$schema"], "$defs": contract()["$defs"], "allOf": [node]}
    for example in (*node["examples"], *([node["default"]] if "default" in node else [])):
        jsonschema_rs.validate(schema, example, offline=True)


def test_every_mapping_is_closed_and_takes_extensions() -> None:
    for path, node in EVERY.items():
        if node.get("additionalProperties") is False:
            assert node["patternProperties"] == {"^x-": True}, path
        elif "properties" in node and not path.startswith("#/$defs/schemaKeywords"):
            is_partial = any(f"/{step}" in path for step in ("if", "then", "schemaKeywords"))
            assert is_partial or path in {"#/$defs/auth", "#/$defs/objectSchema"}, path


def test_every_keyword_that_asserts_can_be_explained() -> None:
    keywords = {keyword for node in EVERY.values() for keyword in node}
    assert keywords - SILENT <= _EXPLANATIONS.keys()


def test_embedded_schemas_are_offered_and_not_judged() -> None:
    schema = {"$defs": contract()["$defs"], "$ref": "#/$defs/jsonSchema"}
    odd = {"type": "intger", "properties": {"a": 3}, "items": "x", "required": {}, "allOf": {}}
    assert jsonschema_rs.is_valid(schema, odd)
    assert not jsonschema_rs.is_valid(schema, "string")
