from __future__ import annotations

from time import process_time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema_rs import Draft202012Validator
from schema_probe import document, told
from toolspec.schema import read_resource
from toolspec.schema.complexity import MAX_COMPLEXITY, MAX_DEPTH, MAX_SUBSCHEMAS
from toolspec.schema.graph import components

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
    assert [code for code, _ in found] == ["schema/too-complex"]
    assert told(doubling(8, wrap)) == []


def test_properties_of_one_object_do_not_add_up() -> None:
    assert told(doubling(40, "properties")) == []


def size_of(value: JsonValue) -> list[str]:
    """Return what is found of a schema's size; no reader lets such a document through."""
    return [each.code for each in read_resource(value, document({}).location()).diagnostics]


def test_size_and_depth() -> None:
    deep: JsonValue = {"type": "string"}
    for _ in range(MAX_DEPTH):
        deep = {"items": deep}
    assert size_of(deep) == []
    assert size_of({"items": deep}) == ["schema/too-complex"]
    wide: JsonValue = {"properties": {f"p{number}": {} for number in range(MAX_SUBSCHEMAS)}}
    assert size_of(wide) == ["schema/too-complex"]


@pytest.mark.parametrize(
    ("schema", "pointer"),
    [
        ({"$ref": "#"}, "/$ref"),
        ({"anyOf": [{"$ref": "#"}]}, "/anyOf/0/$ref"),
        ({"not": {"$ref": "#"}}, "/not/$ref"),
        (
            {"$defs": {"A": {"$ref": "#/$defs/A"}}, "anyOf": [{"$ref": "#/$defs/A"}, True]},
            "/$defs/A/$ref",
        ),
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
    schema: JsonValue = {"$defs": {**chain, "a3000": {"type": "string"}}, "$ref": "#/$defs/a0"}
    assert [code for code, _ in told(schema)] == ["schema/too-complex"]
    members: dict[str, JsonValue] = {
        name: {"properties": {"next": each}} for name, each in chain.items()
    }
    assert told({"$defs": {**members, "a3000": {}}, "$ref": "#/$defs/a0"}) == []


EDGES = st.lists(st.lists(st.integers(0, 7), max_size=3), min_size=8, max_size=8)


@settings(derandomize=True, max_examples=200)
@given(edges=EDGES)
def test_components_are_what_can_be_reached_both_ways(edges: list[list[int]]) -> None:
    reached = [{number} for number in range(len(edges))]
    for _ in edges:
        reached = [
            each.union(*(reached[to] for to in edges[number]), each)
            for number, each in enumerate(reached)
        ]
    found = components(edges)
    for one in range(len(edges)):
        for other in range(len(edges)):
            both_ways = other in reached[one] and one in reached[other]
            assert (found[one] == found[other]) == both_ways


def kind_of_node(number: int, depth: int = 7) -> JsonValue:
    """Return one of the kinds of a design tree: traits by `allOf`, a tag, and children of every kind."""
    traits: list[JsonValue] = [
        {"$ref": f"#/$defs/Trait{(number + at) % 12}"} for at in range(depth)
    ]
    own = {"type": {"enum": [f"KIND{number}"]}, "children": {"items": {"$ref": "#/$defs/Node"}}}
    return {"allOf": [*traits, {"type": "object", "properties": own, "required": ["type"]}]}


def design_tree(*, tagged: bool = True) -> JsonValue:
    """Return a schema as Figma's `Node`: thirty kinds of nodes that share traits of shared types."""
    definitions: dict[str, JsonValue] = {
        "Node": {"oneOf": [{"$ref": f"#/$defs/Kind{number}"} for number in range(30)]},
        "Paint": {
            "oneOf": [
                {
                    "type": "object",
                    "properties": {"type": {"enum": [f"P{n}"]}, "at": {"$ref": "#/$defs/Vector"}},
                    "required": ["type"],
                }
                for n in range(8)
            ]
        },
        "Vector": {
            "type": "object",
            "properties": {"x": {"type": "number"}, "y": {"type": "number"}},
        },
    }
    paints: JsonValue = {"type": "array", "items": {"$ref": "#/$defs/Paint"}}
    for number in range(12):
        styles: JsonValue = {"type": "object", "additionalProperties": paints}
        definitions[f"Trait{number}"] = {
            "type": "object",
            "properties": {f"fills{number}": paints, f"styles{number}": styles},
            "allOf": [{"$ref": f"#/$defs/Trait{number + 1}"}] if number % 4 != 3 else [{}],
        }
    for number in range(30):
        kind = kind_of_node(number)
        if not tagged:
            kind["allOf"][-1] = {"properties": {"children": {"items": {"$ref": "#/$defs/Node"}}}}  # type: ignore[index, call-overload] # as made above
        definitions[f"Kind{number}"] = kind
    return {"$defs": definitions, "$ref": "#/$defs/Node"}


def blueprint() -> JsonValue:
    """Return a schema as SchemaStore's `cloudify`: values of any type, or one of many functions of values."""
    names = [
        f"get_{each}"
        for each in (
            "input",
            "property",
            "attribute",
            "secret",
            "label",
            "system",
            "site",
            "tenant",
            "group",
            "sum",
            "case",
        )
    ]
    function = {
        name: {
            "type": "object",
            "properties": {
                name: {
                    "anyOf": [
                        {"type": "string"},
                        {"type": "array", "items": {"$ref": "#/$defs/value"}},
                    ]
                }
            },
            "required": [name],
            "additionalProperties": False,
        }
        for name in names
    }
    plain: list[JsonValue] = [{"type": name} for name in ("string", "number", "boolean", "null")]
    several: list[JsonValue] = [
        {"type": "array", "items": {"$ref": "#/$defs/value"}},
        {"type": "object", "additionalProperties": {"$ref": "#/$defs/value"}},
    ]
    functions: list[JsonValue] = [{"$ref": f"#/$defs/{name}"} for name in names]
    value: JsonValue = {"anyOf": [*plain, *several, *functions]}
    operation = {
        "anyOf": [
            {"type": "string"},
            {
                "type": "object",
                "properties": {f"p{n}": {"$ref": "#/$defs/value"} for n in range(9)},
            },
        ]
    }
    parts: dict[str, JsonValue] = {}
    for level, below in [
        ("interface", "operation"),
        ("relation", "interface"),
        ("node", "relation"),
        ("template", "node"),
    ]:
        short: JsonValue = {
            "type": "object",
            "patternProperties": {"^[a-z]": {"$ref": f"#/$defs/{below}"}},
        }
        long: JsonValue = {
            "type": "object",
            "properties": {"inputs": {"$ref": "#/$defs/value"}},
            "additionalProperties": {"$ref": f"#/$defs/{below}"},
        }
        parts[level] = {
            "anyOf": [{"type": "string"}, short, long, {**long, "required": ["inputs"]}]
        }
    return {
        "$defs": {**function, **parts, "value": value, "operation": operation},
        "$ref": "#/$defs/template",
    }


@pytest.mark.parametrize("schema", [design_tree(), blueprint()], ids=["figma", "cloudify"])
def test_unions_of_many_kinds_with_children_are_light(schema: JsonValue) -> None:
    assert "schema/too-complex" not in [code for code, _ in told(schema)]


def layered(levels: int, width: int, form: str) -> JsonValue:
    """Return levels of alternatives that all lead to the next level, told apart or not."""
    definitions: dict[str, JsonValue] = {"L0": {"type": "string"}}
    for level in range(levels):
        below: JsonValue = {"child": {"$ref": f"#/$defs/L{level}"}}

        def branch(number: int, below: JsonValue = below) -> JsonValue:
            assert isinstance(below, dict)
            tag: JsonValue = {"kind": {"const": f"k{number}"}}
            schema: JsonValue = {
                "open": {"type": "object", "properties": below, "title": str(number)},
                "tag": {"type": "object", "properties": {**below, **tag}, "required": ["kind"]},
                "tag in allOf": {
                    "type": "object",
                    "allOf": [{"properties": below}, {"properties": tag, "required": ["kind"]}],
                },
                "type": {
                    "type": ["object", "null", "string", "boolean"][number % 4],
                    "properties": below,
                },
                "optional tag": {"type": "object", "properties": {**below, **tag}},
            }[form]
            return schema

        definitions[f"L{level + 1}"] = {"anyOf": [branch(number) for number in range(width)]}
    return {"$defs": definitions, "$ref": f"#/$defs/L{levels}"}


@pytest.mark.parametrize(
    ("form", "is_too_complex"),
    [("open", True), ("optional tag", True), ("tag", False), ("tag in allOf", False)],
)
def test_alternatives_count_once_where_a_tag_tells_them_apart(
    form: str, *, is_too_complex: bool
) -> None:
    codes = [code for code, _ in told(layered(6, 8, form))]
    assert ("schema/too-complex" in codes) is is_too_complex


def least_time(schema: JsonValue, value: JsonValue) -> float:
    """Return the CPU time of one judgement, to be compared with that of another."""
    validator = Draft202012Validator(schema, offline=True)
    times = []
    for _ in range(5):
        start = process_time()
        for _ in range(20):
            validator.is_valid(value)
        times.append(process_time() - start)
    return min(times)


@pytest.mark.prove
@pytest.mark.parametrize("form", ["open", "tag", "tag in allOf", "type", "optional tag"])
def test_a_value_takes_little_longer_than_a_list_with_one_member_for_each_schema(form: str) -> None:
    """The worst value that we know: it fails at the end of the last alternative of every level."""
    flat = least_time({"items": {"type": "string"}}, ["x"] * MAX_COMPLEXITY)
    for levels, width in [(2, 60), (3, 20), (4, 9), (6, 4), (12, 2)]:
        schema = layered(levels, width, form)
        if "schema/too-complex" in [code for code, _ in told(schema)]:
            continue
        for leaf in ("x", 1):
            for kind in (0, width - 1):
                value: JsonValue = leaf
                for _ in range(levels):
                    value = {"child": value, "kind": f"k{kind}"}
                assert least_time(schema, value) < 40 * flat
