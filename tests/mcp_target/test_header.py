"""`x-mcp-header`: a finding for exactly the schemas for which the SDK's client hides a tool."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_programs import service, takes, tool
from mcp.shared.inbound import find_invalid_x_mcp_header
from toolspec.ir import Schema
from toolspec.source import SourceFile
from toolspec.syntax.nodes import Document, JsonObject, JsonValue, Spans
from toolspec.targets.mcp import TARGETS
from toolspec.targets.mcp.header import check_schema
from toolspec.targets.target import EmitContext


def arguments(**properties: JsonValue) -> JsonObject:
    return {"type": "object", "properties": properties}


def header(name: JsonValue, kind: JsonValue = "string") -> JsonObject:
    return {"type": kind, "x-mcp-header": name}


CASES = {
    "fine": arguments(region=header("Region"), deep=arguments(tenant=header("Tenant", "integer"))),
    "no token": arguments(region=header("My Region")),
    "empty": arguments(region=header("")),
    "no string": arguments(region=header(7)),
    "a number": arguments(region=header("Region", "number")),
    "nullable": arguments(region=header("Region", ["string", "null"])),
    "no type": arguments(region={"x-mcp-header": "Region"}),
    "twice": arguments(a=header("Region"), b=header("REGION")),
    "in items": arguments(a={"type": "array", "items": header("Region")}),
    "in a union": arguments(a={"anyOf": [header("Region")]}),
    "at the root": {"type": "object", "x-mcp-header": "Region"},
    "in $defs": {"type": "object", "$defs": {"R": header("Region")}},
    "data": {**arguments(a={"default": header("x y")}), "examples": [arguments(a=header("x y"))]},
    "a name": arguments(**{"x-mcp-header": {"type": "string"}}),
}


@pytest.mark.parametrize("case", CASES)
def test_agrees_with_the_client(case: str) -> None:
    schema = CASES[case]
    assert bool(check_schema(Schema.of(schema))) == bool(find_invalid_x_mcp_header(schema))


schemas = st.recursive(
    st.builds(
        header,
        st.sampled_from(["A", "a", "B", "b c", "", "é"]),
        st.sampled_from(["string", "integer", "number", "boolean"]),
    )
    | st.just({}),
    lambda inner: (
        st.builds(
            lambda key, name, each, other: {key: {name: each, "z": other}},
            st.sampled_from(["properties", "patternProperties", "$defs", "default"]),
            st.sampled_from(["a", "x-mcp-header", "properties"]),
            inner,
            inner,
        )
        | st.builds(lambda key, each: {key: each}, st.sampled_from(["items", "not"]), inner)
        | st.builds(lambda each: {"oneOf": [each]}, inner)
    ),
    max_leaves=8,
)


@settings(derandomize=True, max_examples=500, deadline=None)
@given(schemas)
def test_agrees_with_the_client_about_any_schema(schema: JsonObject) -> None:
    assert bool(check_schema(Schema.of(schema))) == bool(find_invalid_x_mcp_header(schema))


def test_every_problem_is_reported_and_the_first_of_two_is_shown() -> None:
    class Everywhere:
        def locate(self, path: tuple[object, ...]) -> Spans:
            return Spans(None, document.source.span(len(path), len(path) + 1))

    schema = arguments(a=header("Region"), b=header("region"), c=header("x y"))
    document = Document(SourceFile("specs/a.yaml", "x" * 40), schema, Everywhere())
    found = check_schema(Schema.of(schema, document.location()))
    assert [each.message for each in found] == [
        "`x-mcp-header` names a header that another property has",
        "`x-mcp-header` is not a header name",
    ]
    assert found[0].subject.pointer == "/properties/b/x-mcp-header"
    assert [label.text for label in found[0].labels] == ["first here"]


def test_the_newer_target_alone_reports_them() -> None:
    bad = tool("x", **takes(CASES["no token"]))
    found = {each.name: tuple(each.check_service(service(bad), EmitContext())) for each in TARGETS}
    (finding,) = found["mcp-2026-07-28"]
    assert (finding.code, finding.subject.tool) == ("mcp/bad-header", "github_x")
    assert not found["mcp-2025-11-25"]
