from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from schema_probe import document, told
from toolspec.schema import read_resource
from toolspec.schema.graph import Node, components
from toolspec.schema.weight import MAX_DEPTH, MAX_SUBSCHEMAS

if TYPE_CHECKING:
    from toolspec.syntax.nodes import JsonValue


def doubling(levels: int, wrap: str) -> JsonValue:
    """Return definitions of which each names the one before twice, in the way that is asked for."""
    definitions: dict[str, JsonValue] = {"a0": {"type": "string"}}
    for level in range(1, levels + 1):
        reference: JsonValue = {"$ref": f"#/$defs/a{level - 1}"}
        inside: JsonValue = {"properties": {"x": reference}}
        definitions[f"a{level}"] = {
            "properties": {"properties": {"x": reference, "y": reference}},
            "allOf of properties": {"allOf": [inside, inside]},
        }.get(wrap, {wrap: [reference, reference]})
    return {"$defs": definitions, "type": "array", "items": {"$ref": f"#/$defs/a{levels}"}}


@pytest.mark.parametrize("wrap", ["allOf", "anyOf", "oneOf", "allOf of properties"])
def test_doubling_is_refused_where_it_passes_the_limit(wrap: str) -> None:
    found = told(doubling(40, wrap))
    assert [code for code, _ in found] == ["schema/too-heavy"]
    assert told(doubling(8, wrap)) == []


def test_properties_of_one_object_do_not_add_up() -> None:
    assert told(doubling(40, "properties")) == []


def size_of(value: JsonValue) -> list[str]:
    """Return what is found of a schema's size; no reader lets such a document through."""
    return [each.code for each in read_resource(value, document({}).place()).diagnostics]


def test_size_and_depth() -> None:
    deep: JsonValue = {"type": "string"}
    for _ in range(MAX_DEPTH):
        deep = {"items": deep}
    assert size_of(deep) == []
    assert size_of({"items": deep}) == ["schema/too-heavy"]
    wide: JsonValue = {"properties": {f"p{number}": {} for number in range(MAX_SUBSCHEMAS)}}
    assert size_of(wide) == ["schema/too-heavy"]


@pytest.mark.parametrize(
    ("schema", "pointer"),
    [
        ({"$ref": "#"}, "/$ref"),
        ({"anyOf": [{"$ref": "#"}]}, "/anyOf/0/$ref"),
        ({"not": {"$ref": "#"}}, "/not/$ref"),
        ({"$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}}}, "/$defs/A/$ref"),
        (
            {"$defs": {"A": {"anyOf": [{"$ref": "#/$defs/A"}, {"type": "null"}]}}},
            "/$defs/A/anyOf/0/$ref",
        ),
        ({"if": {"then": {"$ref": "#"}}}, "/if/then/$ref"),
        ({"dependentSchemas": {"a": {"$ref": "#"}}}, "/dependentSchemas/a/$ref"),
    ],
)
def test_endless_references(schema: JsonValue, pointer: str) -> None:
    assert told(schema) == [("schema/endless-reference", pointer)]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {"next": {"$ref": "#"}}},
        {"items": {"anyOf": [{"$ref": "#"}, {"type": "string"}]}},
        {
            "$defs": {"T": {"type": "object", "additionalProperties": {"$ref": "#/$defs/T"}}},
            "$ref": "#/$defs/T",
        },
        {
            "$defs": {
                "A": {"properties": {"b": {"$ref": "#/$defs/B"}}},
                "B": {"allOf": [{"$ref": "#/$defs/C"}]},
                "C": {"items": {"$ref": "#/$defs/A"}},
            }
        },
    ],
)
def test_trees_are_fine(schema: JsonValue) -> None:
    assert told(schema) == []


def test_many_definitions_that_all_know_each_other_are_light() -> None:
    names = [f"K{number}" for number in range(60)]
    every: JsonValue = {"anyOf": [{"$ref": f"#/$defs/{name}"} for name in names]}
    kinds: dict[str, JsonValue] = {
        name: {
            "type": "object",
            "properties": {"kind": {"const": name}, "children": {"items": every}},
        }
        for name in names
    }
    assert told({"$defs": kinds, "type": "array", "items": every}) == []


def test_a_long_chain_of_references_needs_no_stack() -> None:
    chain: dict[str, JsonValue] = {
        f"a{number}": {"$ref": f"#/$defs/a{number + 1}"} for number in range(3_000)
    }
    assert told({"$defs": {**chain, "a3000": {"type": "string"}}, "$ref": "#/$defs/a0"}) == []


EDGES = st.lists(st.lists(st.integers(0, 7), max_size=3), min_size=8, max_size=8)


@settings(derandomize=True, max_examples=200)
@given(edges=EDGES)
def test_components_are_what_can_be_reached_both_ways(edges: list[list[int]]) -> None:
    nodes = tuple(Node((), tuple(to), (), (), ()) for to in edges)
    reached = [{number} for number in range(len(edges))]
    for _ in edges:
        reached = [
            each.union(*(reached[to] for to in edges[number]), each)
            for number, each in enumerate(reached)
        ]
    found = components(nodes)
    for one in range(len(edges)):
        for other in range(len(edges)):
            both_ways = other in reached[one] and one in reached[other]
            assert (found[one] == found[other]) == both_ways
