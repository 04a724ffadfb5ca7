"""Each manifest is what its revision's own types accept, with nothing sieved away."""

from __future__ import annotations

import json

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_programs import CLOSED, REPOSITORY, USER, hints, rich_program, service, takes, tool
from pydantic import BaseModel
from toolspec.diagnostics import Diagnostic
from toolspec.ir import Program, Schema, TaskSupport, Tool
from toolspec.syntax.nodes import JsonObject, JsonValue
from toolspec.targets.mcp import TARGETS
from toolspec.targets.target import emit_program

NEW, OLD = "mcp-2026-07-28", "mcp-2025-11-25"
TREE = {"type": "array", "items": {"$ref": "#"}}
AWKWARD_OUTPUTS = {
    "array": {"type": "array", "items": {"type": "string"}},
    "text": {"type": "string"},
    "never": False,
    "empty": {},
    "nullable": {"type": ["object", "null"]},
    "union": {"anyOf": [{"type": "object"}, {"type": "string"}]},
    "recursive": TREE,
    "object by reference": {"$ref": "#/$defs/User", "$defs": {"User": USER}},
    "array by reference": {"$ref": "#/$defs/Users", "$defs": {"Users": TREE}},
    "into itself": {"type": "array", "prefixItems": [USER, {"$ref": "#/prefixItems/0"}]},
    "with an identity": {"$id": "urn:x", **TREE},
    "names like keywords": {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {"$ref": {"type": "string"}, "default": {"$ref": "#"}},
            "default": {"$ref": "#"},
        },
    },
}


def emitted(
    target_name: str, program: Program, **options: JsonValue
) -> tuple[dict[str, JsonObject], tuple[Diagnostic, ...]]:
    target = next(each for each in TARGETS if each.name == target_name)
    checked = emit_program(target, program, options)
    return {each.path: json.loads(each.text) for each in checked.value}, checked.diagnostics


def tools(target_name: str, *made: Tool) -> list[JsonObject]:
    files, _ = emitted(target_name, Program((service(*made),)))
    (document,) = files.values()
    return document["tools"]


def wire_model(target_name: str) -> type[BaseModel]:
    if target_name == NEW:
        from mcp_types import _v2026_07_28 as revision
    else:
        from mcp_types import _v2025_11_25 as revision
    return revision.ListToolsResult


def assert_accepted(target_name: str, document: JsonObject) -> None:
    model = wire_model(target_name).model_validate(document)
    assert model.model_dump(by_alias=True, exclude_none=True, mode="json") == document


def odd_tools() -> list[Tool]:
    return [
        tool(f"t{i}", output=Schema.of(each)) for i, each in enumerate(AWKWARD_OUTPUTS.values())
    ]


@pytest.mark.parametrize("name", [NEW, OLD])
def test_the_revisions_own_types_accept_every_manifest_whole(name: str) -> None:
    odd = service(*odd_tools(), name="odd")
    files, found = emitted(name, Program((*rich_program().services, odd)))
    assert not found
    file = "mcp.json" if name == NEW else "mcp-2025-11-25.json"
    assert list(files) == [f"billing/{file}", f"github/{file}", f"odd/{file}"]
    for document in files.values():
        assert_accepted(name, document)


def test_all_four_hints_are_always_there() -> None:
    for name in (NEW, OLD):
        (entry,) = tools(name, tool("x", annotations=hints("X", "i")))
        assert entry["annotations"] == {
            "title": "X",
            "readOnlyHint": False,
            "destructiveHint": False,
            "idempotentHint": True,
            "openWorldHint": False,
        }


def test_tasks_are_spoken_of_in_the_older_revision_only() -> None:
    assert "execution" not in tools(NEW, tool("x"))[0]
    assert "execution" not in tools(OLD, tool("x"))[0]  # `forbidden` is the default
    optional = tool("x", task_support=TaskSupport.OPTIONAL)
    assert "execution" not in tools(NEW, optional)[0]
    assert tools(OLD, optional)[0]["execution"] == {"taskSupport": "optional"}


@pytest.mark.parametrize(
    ("output", "is_wrapped"),
    [
        ({"type": "null"}, True),
        ({"type": ["string", "null"]}, True),
        ({"anyOf": [USER, {"const": None}]}, True),
        ({"$ref": "#/$defs/A", "$defs": {"A": {"enum": ["a", None]}}}, True),
        ({"description": "Whatever it is."}, True),
        ({"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/A"}}}, True),
        (TREE, False),
        ({"type": "boolean"}, False),
        ({"enum": ["a"]}, False),
        ({"const": 0}, False),
        ({"oneOf": [USER, {"type": "string"}]}, False),
        ({"allOf": [{"type": ["string", "null"]}, {"minLength": 1, "type": "string"}]}, False),
        ({"$ref": "#/$defs/A", "$defs": {"A": USER}}, False),
    ],
)
def test_what_may_be_null_is_wrapped_for_the_newer_revision_too(
    output: JsonObject, is_wrapped: bool
) -> None:
    (entry,) = tools(NEW, tool("x", output=Schema.of(output)))
    assert (entry.get("_meta", {}).get("toolspec", {}).get("wrapped") == "result") is is_wrapped
    schema = jsonschema_rs.validator_for(entry["outputSchema"])
    assert not schema.is_valid(None)
    assert schema.is_valid({"result": None}) is is_wrapped


def test_no_output_schema_where_anything_goes() -> None:
    for name in (NEW, OLD):
        assert "outputSchema" not in tools(name, tool("x", output=Schema.of(True)))[0]  # noqa: FBT003 # a schema


def test_the_newer_revision_gets_outputs_as_they_are() -> None:
    assert tools(NEW, tool("x", output=Schema.of(TREE)))[0]["outputSchema"] == TREE


DIALECT = "https://json-schema.org/draft/2020-12/schema"
NAMED: JsonObject = {
    "$schema": DIALECT,
    "type": "object",
    "$defs": {"User": {"$anchor": "user", **USER}},
    "properties": {"user": {"$ref": "#/$defs/User"}},
}
BUNDLED: JsonObject = {
    "type": "object",
    "$defs": {"User": USER},
    "properties": {"user": {"$ref": "#/$defs/User"}},
}


@pytest.mark.parametrize("name", [NEW, OLD])
@pytest.mark.parametrize(
    ("written", "listed"),
    [
        (NAMED, NAMED),
        ({**NAMED, "$schema": "http://json-schema.org/draft-07/schema#"}, BUNDLED),
        ({**NAMED, "$id": "urn:user"}, BUNDLED),
        ({**NAMED, "properties": {"user": {"$ref": "#user"}}}, BUNDLED),
        ({**NAMED, "properties": {}}, BUNDLED),
    ],
    ids=["word for word", "another dialect", "an identity", "another reference", "less"],
)
def test_a_schema_is_listed_as_written_if_it_stands_on_its_own(
    name: str, written: JsonObject, listed: JsonObject
) -> None:
    schema = Schema(written, BUNDLED)
    (entry,) = tools(name, tool("x", input=schema, arguments=BUNDLED, output=schema))
    assert entry["inputSchema"] == entry["outputSchema"] == listed


@pytest.mark.parametrize("name", [NEW, OLD])
def test_no_boolean_stands_for_a_schema(name: str) -> None:
    pair = {"prefixItems": [True, {"not": True}], "items": False, "unevaluatedItems": False}
    closed = {"type": "object", "properties": {"pair": pair}, "additionalProperties": False}
    (entry,) = tools(name, tool("x", **takes(closed), output=Schema.of(closed)))
    shown = {**pair, "prefixItems": [{}, {"not": {}}], "items": {"not": {}}}
    assert entry["inputSchema"] == {**closed, "properties": {"pair": shown}}
    assert entry["outputSchema"] == entry["inputSchema"]
    assert closed["properties"] == {"pair": pair}


def test_an_object_is_not_wrapped_even_behind_a_reference() -> None:
    schema = AWKWARD_OUTPUTS["object by reference"]
    (entry,) = tools(OLD, tool("x", output=Schema.of(schema)))
    assert entry["outputSchema"] == {"type": "object", **schema}
    assert "_meta" not in entry


def test_another_output_is_wrapped_and_says_so() -> None:
    schema = {"type": "array", "items": {"$ref": "#/$defs/Repository"}}
    definitions = {"Repository": REPOSITORY, "User": USER}
    (entry,) = tools(OLD, tool("x", output=Schema.of({**schema, "$defs": definitions})))
    assert entry["outputSchema"] == {
        "type": "object",
        "properties": {"result": schema},
        "required": ["result"],
        "$defs": definitions,
    }
    assert entry["_meta"] == {"toolspec": {"wrapped": "result"}}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(0, 3) | st.sampled_from(["", "a"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["login", "$ref", "default"]), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(derandomize=True, max_examples=400, deadline=None)
@given(json_values, st.sampled_from(sorted(AWKWARD_OUTPUTS)))
def test_a_wrapped_schema_accepts_exactly_the_wrapped_values(value: JsonValue, which: str) -> None:
    schema = AWKWARD_OUTPUTS[which]
    (entry,) = tools(OLD, tool("x", output=Schema.of(schema)))
    is_wrapped = "wrapped" in entry.get("_meta", {}).get("toolspec", {})
    sent = {"result": value} if is_wrapped else value
    assert jsonschema_rs.is_valid(entry["outputSchema"], sent) == jsonschema_rs.is_valid(
        schema, value
    )


def test_what_an_importer_kept_comes_back_and_replaces_nothing() -> None:
    kept = {
        "id": 7,
        "name": "stolen",
        "_meta": {"fastmcp": {"tags": ["a"]}, "x-owner": "stolen"},
        "annotations": {"readOnlyHint": False, "audience": "all"},
    }
    (entry,) = tools(NEW, tool("x", extensions={"x-owner": "me", "x-mcp": kept}))
    assert entry["id"] == 7
    assert entry["name"] == "github_x"
    assert entry["_meta"] == {"x-owner": "me", "fastmcp": {"tags": ["a"]}}
    assert entry["annotations"]["readOnlyHint"] is True
    assert entry["annotations"]["audience"] == "all"


def test_meta_has_the_icon_and_a_summary_that_is_not_the_description() -> None:
    short = tool("x", icon="hash", summary="Short.", description="Short. And long.")
    same = tool("y", icon="wrench", summary="The same.", description="The same.")
    first, second = tools(NEW, short, same)
    assert first["_meta"] == {"toolspec": {"summary": "Short.", "icon": "hash"}}
    assert second["_meta"] == {"toolspec": {"icon": "wrench"}}


def test_meta_holds_what_the_protocol_has_no_member_for() -> None:
    files, _ = emitted(NEW, rich_program())
    listing, stream = files["github/mcp.json"]["tools"]
    summary = "List repositories of the signed-in user."
    assert listing["_meta"] == {
        "toolspec": {
            "summary": summary,
            "group": "Repositories",
            "tags": ["repos", "read"],
            "aliases": ["repos"],
        }
    }
    assert stream["_meta"] == {
        "toolspec": {
            "version": "1.0",
            "deprecated": {"since": "1.1", "use": "github_send", "remove": "2.0"},
            "effects": ["message"],
            "risk": {"tier": 3, "reason": "It sends mail."},
            "streaming": "join",
        },
        "x-owner": "team-a",
    }


def test_of_several_versions_the_highest_is_listed() -> None:
    versions = ("1.9", "", "1.10", "1.10-rc.1", "1.2")
    made = [tool("search", version=each, description=each) for each in versions]
    for name in (NEW, OLD):
        entries = tools(name, *made, tool("other"))
        assert [each["description"] for each in entries] == ["1.10", "Do other."]


def test_the_cache_hints_are_options() -> None:
    program = Program((service(tool("x", **takes(CLOSED))),))
    files, _ = emitted(NEW, program)
    document = files["github/mcp.json"]
    assert (document["ttlMs"], document["cacheScope"]) == (0, "public")
    options = {"ttlMs": 5000, "cacheScope": "private"}
    assert jsonschema_rs.is_valid(TARGETS[0].options, options)
    files, _ = emitted(NEW, program, **options)
    document = files["github/mcp.json"]
    assert (document["ttlMs"], document["cacheScope"]) == (5000, "private")
    assert_accepted(NEW, document)
