"""What travels in a call and in a stream, made from resolved schemas."""

from __future__ import annotations

import jsonschema_rs
import pytest
from documents import normalised, with_tool
from toolspec import ir
from toolspec.ir import InputForm, Reduction

READS = "outputSchema: true\nmutation: false\n"


def tool(lines: str) -> ir.Tool:
    found, problems = normalised(with_tool(lines))
    assert problems == []
    return found


def codes(lines: str) -> list[tuple[str, str]]:
    _, problems = normalised(with_tool(lines))
    return [(each.code, each.span.text if each.span else "") for each in problems]


def test_no_input_takes_no_arguments() -> None:
    found = tool(READS)
    assert found.arguments == {"type": "object", "additionalProperties": False}
    assert found.input_form is InputForm.OBJECT


def test_raw_input_takes_any_object() -> None:
    found = tool(READS + "inputSchema: true")
    assert (found.input_form, found.arguments) == (InputForm.RAW, {"type": "object"})


def test_text_is_one_argument() -> None:
    found = tool(READS + "inputSchema: {type: string, minLength: 1}")
    assert found.input_form is InputForm.TEXT
    assert found.arguments == {
        "type": "object",
        "properties": {"input": {"type": "string", "minLength": 1}},
        "required": ["input"],
        "additionalProperties": False,
    }


def test_text_by_reference_keeps_its_definitions_at_the_root() -> None:
    found = tool(READS + 'inputSchema: {$ref: "#/$defs/Q", $defs: {Q: {type: string}}}')
    assert found.input_form is InputForm.TEXT
    assert jsonschema_rs.is_valid(found.arguments, {"input": "x"})
    assert not jsonschema_rs.is_valid(found.arguments, {"input": 1})


def test_a_root_that_refers_is_an_object_on_the_wire() -> None:
    lines = 'inputSchema: {$ref: "#/$defs/Q", $defs: {Q: {type: object, required: [a]}}}'
    assert tool(READS + lines).arguments == {
        "type": "object",
        "required": ["a"],
        "$defs": {"Q": {"type": "object", "required": ["a"]}},
    }


@pytest.mark.parametrize(
    ("schema", "at"),
    [
        ("{type: array}", "array"),
        ("{type: [object, 'null']}", "type"),
        ("{properties: {a: true}}", "inputSchema"),
        ("{}", "inputSchema"),
        ("{anyOf: [{type: object}]}", "inputSchema"),
    ],
)
def test_any_other_root_is_refused(schema: str, at: str) -> None:
    assert codes(READS + f"inputSchema: {schema}") == [("shape/input-not-object", at)]


def test_an_idempotency_key_is_one_more_argument() -> None:
    lines = (
        "inputSchema: {type: object, properties: {a: true}, required: [a], "
        "additionalProperties: false}\nidempotency: "
    )
    required = tool(READS + lines + "required").arguments
    assert jsonschema_rs.is_valid(required, {"a": 1, "idempotency_key": "k"})
    assert not jsonschema_rs.is_valid(required, {"a": 1})
    assert not jsonschema_rs.is_valid(required, {"a": 1, "idempotency_key": ""})
    optional = tool(READS + lines + "optional").arguments
    assert jsonschema_rs.is_valid(optional, {"a": 1})


@pytest.mark.parametrize("schema", ["true", "{type: string}", "{type: object}"])
def test_every_form_of_input_takes_a_key(schema: str) -> None:
    arguments = tool(READS + f"inputSchema: {schema}\nidempotency: required").arguments
    assert jsonschema_rs.is_valid(arguments, {"input": "x", "idempotency_key": "k"})


def test_the_key_is_asked_for_at_the_root_of_a_recursive_input_only() -> None:
    lines = (
        'inputSchema: {type: object, properties: {child: {$ref: "#"}}, additionalProperties: false}\n'
        "idempotency: required"
    )
    arguments = tool(READS + lines).arguments
    assert jsonschema_rs.is_valid(arguments, {"child": {"child": {}}, "idempotency_key": "k"})
    assert not jsonschema_rs.is_valid(arguments, {"child": {"idempotency_key": "k"}})
    inside = {"child": {"idempotency_key": "k"}, "idempotency_key": "k"}
    assert not jsonschema_rs.is_valid(arguments, inside)


@pytest.mark.parametrize(
    ("schema", "code", "at"),
    [
        (
            "{type: object, properties: {idempotency_key: true}}",
            "reserved-argument",
            "idempotency_key",
        ),
        ("{type: object, maxProperties: 1}", "sealed-arguments", "inputSchema"),
        (
            "{type: object, allOf: [{additionalProperties: false}]}",
            "sealed-arguments",
            "inputSchema",
        ),
        (
            '{type: object, anyOf: [{$ref: "#/$defs/Q"}], $defs: {Q: {additionalProperties: false}}}',
            "sealed-arguments",
            "inputSchema",
        ),
    ],
)
def test_a_key_without_room_is_refused(schema: str, code: str, at: str) -> None:
    lines = READS + f"inputSchema: {schema}\nidempotency: optional"
    assert codes(lines) == [(f"bind/{code}", at)]


def stream(schema: str, more: str = "") -> str:
    return f"outputSchema: {schema}\nmutation: false\nstreaming: true\n{more}"


def test_text_streams_as_pieces_that_are_joined() -> None:
    found = tool(stream("{type: string, maxLength: 9}"))
    assert found.chunk is not None
    assert (found.reduction, found.chunk.bundle) == (Reduction.JOIN, {"type": "string"})


def test_a_list_streams_as_its_items() -> None:
    found = tool(stream('{type: array, items: {$ref: "#/$defs/A"}, $defs: {A: {type: string}}}'))
    assert found.chunk is not None
    assert found.reduction is Reduction.LIST
    assert found.chunk.value == {"$ref": "#/$defs/A"}
    assert found.chunk.bundle == {"$ref": "#/$defs/A", "$defs": {"A": {"type": "string"}}}
    assert found.chunk.location is not None
    assert found.chunk.location.pointer == "/tools/0/outputSchema/items"


def test_items_that_refer_to_the_whole_still_mean_the_whole() -> None:
    schema = '{type: array, items: {type: object, properties: {inner: {$ref: "#"}, n: {$ref: "#/items"}}}}'
    found = tool(stream(schema))
    assert found.chunk is not None
    assert jsonschema_rs.is_valid(found.chunk.bundle, {"inner": [{"inner": []}], "n": {}})
    assert not jsonschema_rs.is_valid(found.chunk.bundle, {"inner": {}})
    assert not jsonschema_rs.is_valid(found.chunk.bundle, {"n": []})


def test_a_list_of_anything_streams_anything() -> None:
    found = tool(stream("{type: array}"))
    assert found.chunk is not None
    assert (found.reduction, found.chunk.bundle) == (Reduction.LIST, True)


def test_a_stated_chunk_comes_last_as_the_result() -> None:
    found = tool(stream("{type: object}", "chunkSchema: {type: object}"))
    assert found.reduction is Reduction.LAST


@pytest.mark.parametrize(
    "schema",
    ["true", "{type: object}", "{type: array, prefixItems: [true]}", "{type: [string, 'null']}"],
)
def test_any_other_stream_has_to_state_its_chunk(schema: str) -> None:
    assert codes(stream(schema)) == [("shape/missing-chunk", "outputSchema")]


def test_a_result_that_is_not_json_is_text() -> None:
    lines = "mutation: false\noutputContentType: image/png\noutputSchema: "
    assert codes(lines + "{type: string, contentEncoding: base64}") == []
    assert codes(lines + "{type: object}") == [("bind/content-type-needs-text", "outputSchema")]
    assert codes(lines + "true") == [("bind/content-type-needs-text", "outputSchema")]


@pytest.mark.parametrize("media", ["application/json; charset=utf-8", "application/ld+json"])
def test_json_by_any_name_may_be_anything(media: str) -> None:
    assert codes(READS + f'outputContentType: "{media}"') == []
