"""Values made from schemas: they satisfy them, they are small, and the same seed makes the same."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from counted_calls import calls
from hypothesis import given, settings
from hypothesis import strategies as st
from toolspec.runtime import ServiceDefinition, ToolError
from toolspec.runtime.validation import SchemaCheck
from toolspec.serving.mocks import Mocks
from toolspec.shared.encodings import ENCODINGS
from toolspec.shared.keywords import ASSERTED_FORMATS
from toolspec.shared.samples import NoSampleError, sample

SERVICES = ("billing", "github", "notes", "slack", "workspace")

HARD: dict[str, Any] = {
    "anything": True,
    "an empty schema": {},
    "a constant": {"const": {"a": [None]}},
    "a nullable enum": {"type": ["string", "null"], "enum": ["a", None]},
    "a whole number in a narrow place": {"type": "integer", "exclusiveMinimum": 4, "maximum": 5},
    "multiples": {"type": "integer", "multipleOf": 7, "minimum": 50, "maximum": 60},
    "cents": {"type": "number", "multipleOf": 0.01, "exclusiveMinimum": 0, "maximum": 0.05},
    "between two numbers": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 0.001},
    "below zero": {"type": "integer", "maximum": -3},
    "a pattern": {"type": "string", "pattern": r"^[A-Z]{2}-\d{4}(-[a-f]+)?$"},
    "a pattern in ECMA": {"type": "string", "pattern": r"^(?<year>\d{4})\/[\w\-]+$"},
    "a pattern of a length": {"type": "string", "pattern": "^[a-z]+$", "minLength": 30},
    "a pattern without anchors": {"type": "string", "pattern": "ab", "minLength": 12},
    "a long text": {"type": "string", "minLength": 300, "maxLength": 300},
    "an empty text": {"type": "string", "maxLength": 0},
    "all formats": {
        "type": "object",
        "properties": {
            name: {"type": "string", "format": name}
            for name in (
                "date-time", "date", "time", "duration", "email", "hostname", "ipv4", "ipv6",
                "uri", "uri-reference", "uuid", "json-pointer", "regex", "idn-email",
            )
        },
    },
    "unique items": {"type": "array", "items": {"enum": ["a", "b", "c"]}, "uniqueItems": True, "minItems": 3},
    "unique records": {
        "type": "array",
        "items": {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]},
        "uniqueItems": True,
        "minItems": 4,
    },
    "a tuple": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": False, "minItems": 2},
    "contains": {"type": "array", "items": {"type": "integer"}, "contains": {"const": 5}, "minContains": 2, "minItems": 4},
    "a tree": {
        "$ref": "#/$defs/Node",
        "$defs": {
            "Node": {
                "type": "object",
                "properties": {
                    "name": {"type": "string"},
                    "children": {"type": "array", "items": {"$ref": "#/$defs/Node"}},
                },
                "required": ["name", "children"],
                "additionalProperties": False,
            }
        },
    },
    "a list by its tail": {
        "$ref": "#/$defs/Cell",
        "$defs": {
            "Cell": {
                "type": "object",
                "properties": {"next": {"anyOf": [{"$ref": "#/$defs/Cell"}, {"type": "null"}]}},
                "required": ["next"],
            }
        },
    },
    "all of": {
        "allOf": [
            {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]},
            {"properties": {"a": {"minimum": 10}, "b": {"type": "string"}}, "required": ["b"]},
        ],
        "unevaluatedProperties": False,
    },
    "one of": {
        "oneOf": [
            {"type": "object", "properties": {"kind": {"const": "a"}, "x": {"type": "integer"}}, "required": ["kind", "x"]},
            {"type": "object", "properties": {"kind": {"const": "b"}}, "required": ["kind"]},
        ]
    },
    "not": {"type": "string", "not": {"enum": ["amber", "birch", "cedar", "dune"]}},
    "if and then": {
        "type": "object",
        "properties": {"kind": {"enum": ["card", "cash"]}, "number": {"type": "string", "pattern": "^[0-9]{4}$"}},
        "required": ["kind"],
        "if": {"properties": {"kind": {"const": "card"}}},
        "then": {"required": ["number"]},
        "else": {"properties": {"number": False}},
    },
    "dependent": {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
        "required": ["a"],
        "dependentRequired": {"a": ["b"]},
        "dependentSchemas": {"b": {"properties": {"c": {"type": "boolean"}}, "required": ["c"]}},
    },
    "names by pattern": {
        "type": "object",
        "patternProperties": {"^x-[a-z]{2}$": {"type": "integer"}},
        "additionalProperties": False,
        "minProperties": 2,
    },
    "names of a form": {
        "type": "object",
        "propertyNames": {"pattern": "^[a-z]{3}$"},
        "additionalProperties": {"type": "number"},
        "minProperties": 3,
        "maxProperties": 3,
    },
    "an anchor": {"$ref": "#money", "$defs": {"Money": {"$anchor": "money", "type": "object", "properties": {"amount": {"type": "integer"}}, "required": ["amount"]}}},
    "examples that lie": {"type": "integer", "examples": ["seven"], "default": "eight", "minimum": 3},
}  # fmt: skip


TEXTS = [
    *({"format": name} for name in sorted(ASSERTED_FORMATS)),
    *({"contentEncoding": name} for name in sorted(ENCODINGS)),
    {"contentEncoding": "base64", "minLength": 21, "maxLength": 24},
    {"contentEncoding": "base16", "maxLength": 3},
    {"format": "uri", "pattern": "^https://"},
    {"format": "date", "pattern": "^2026-0"},
]


@pytest.mark.parametrize("keywords", TEXTS, ids=json.dumps)
@pytest.mark.parametrize("seed", ["0", "1", "2", "3"])
def test_a_text_is_of_its_format_and_encoding(keywords: dict[str, object], seed: str) -> None:
    schema = json.dumps({"type": "string", **keywords})
    assert SchemaCheck(schema).accepts(sample(schema, seed))


@pytest.mark.parametrize("schema", HARD.values(), ids=HARD)
@settings(max_examples=15, derandomize=True, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_a_hard_schema_is_satisfied(schema: Any, seed: int) -> None:
    text = json.dumps(schema)
    value = sample(text, str(seed))
    jsonschema_rs.validator_for(text).validate(value)
    assert sample(text, str(seed)) == value
    assert len(json.dumps(value)) < 3000


@pytest.mark.parametrize(
    "schema",
    [
        False,
        {"type": "integer", "minimum": 4, "maximum": 3},
        {"$ref": "#/$defs/A", "$defs": {"A": {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}, "required": ["a"]}}},
        {"type": "string", "pattern": "^a$", "minLength": 5},
    ],
)  # fmt: skip
def test_no_value_is_a_clear_answer(schema: Any) -> None:
    with pytest.raises(NoSampleError):
        sample(json.dumps(schema), "0")


def _object(names: str, ref: str, **more: object) -> dict[str, object]:
    return {"type": "object", "properties": {name: {"$ref": ref} for name in names}, **more}


LARGE: dict[str, Any] = {
    "members that are the whole": _object("abcdefghijklmnopqrstuvwxyz", "#"),
    "branches that are the same": _object("a", "#/$defs/A")
    | {"$defs": {"A": {"oneOf": [{"$ref": "#"}, {"allOf": [{"$ref": "#"}]}]}}},
    "items without end": {"type": "array", "minItems": 10**9, "items": {"type": "integer"}},
    "names without end": {"type": "object", "minProperties": 10**6},
    "members that double": {
        "$ref": "#/$defs/D0",
        "$defs": {"D30": {}}
        | {f"D{i}": _object("ab", f"#/$defs/D{i + 1}", required=["a", "b"]) for i in range(30)},
    },
}


@pytest.mark.parametrize("schema", LARGE.values(), ids=LARGE)
def test_a_value_ends_before_it_is_large(schema: Any) -> None:
    text = json.dumps(schema)
    made: list[object] = []

    def make() -> None:
        with suppress(NoSampleError):
            made.append(sample(text, "0"))

    assert calls(make) < 1_000_000
    assert len(json.dumps(made)) < 30_000


@pytest.fixture(scope="module")
def services(repository: Path) -> Iterator[list[ServiceDefinition]]:
    sys.path.insert(0, str(repository))
    yield [importlib.import_module(f"generated.{name}").SERVICE for name in SERVICES]
    sys.path.pop(0)


@settings(max_examples=10, derandomize=True, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_every_schema_of_the_examples_is_satisfied(
    services: list[ServiceDefinition], seed: int
) -> None:
    for service in services:
        for tool in service.tools:
            for schema in (tool.arguments_schema, tool.output_schema, tool.chunk_schema or "true"):
                assert SchemaCheck(schema, tool.formats).accepts(
                    sample(schema, str(seed), tool.formats)
                )


leaves = st.one_of(
    st.fixed_dictionaries({"type": st.just("string")}, optional={"minLength": st.integers(0, 9)}),
    st.fixed_dictionaries({"type": st.just("integer")}, optional={"minimum": st.integers(-9, 9)}),
    st.fixed_dictionaries({"enum": st.lists(st.integers(), min_size=1, max_size=3)}),
    st.sampled_from([{"type": "boolean"}, {"type": "null"}, {"type": "number"}, {}]),
)


def nested(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(
        st.fixed_dictionaries(
            {"type": st.just("array"), "items": inner}, optional={"minItems": st.integers(0, 3)}
        ),
        st.dictionaries(st.sampled_from("abc"), inner, max_size=3).map(
            lambda members: {
                "type": "object",
                "properties": members,
                "required": sorted(members)[:1],
                "additionalProperties": False,
            }
        ),
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: {"anyOf": parts}),
    )


@settings(max_examples=150, derandomize=True, deadline=None)
@given(schema=st.recursive(leaves, nested, max_leaves=8))
def test_plain_schemas_never_fail(schema: Any) -> None:
    text = json.dumps(schema)
    jsonschema_rs.validator_for(text).validate(sample(text, "0"))


def test_a_mock_without_an_answer_says_so(
    services: list[ServiceDefinition], tmp_path: Path
) -> None:
    import asyncio

    from toolspec.runtime import ToolDefinition, bind_service

    tool = ToolDefinition(
        name="x", full_name="s_x", method="x", output_schema="false", read_only=True
    )
    service = ServiceDefinition(name="s", tools=(tool,))
    registry = bind_service(service, Mocks(tmp_path / "none.json", 0).handlers(service)[0])
    with pytest.raises(ToolError) as caught:
        asyncio.run(registry.call("s_x"))
    assert (caught.value.category, caught.value.code) == ("unavailable", "no_sample")
    assert "add an example" in caught.value.message
