"""The catalogue keeps to its schema, names every field of a tool, and sorts the tools by safety."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields, replace
from hashlib import sha256
from pathlib import Path

import jsonschema_rs
import pytest
from made_programs import hints, rich_program, service, tool
from toolspec.ir import (
    CallLimits,
    Example,
    Formats,
    HttpBinding,
    InputForm,
    Program,
    Reduction,
    Schema,
    Tool,
)
from toolspec.shared.canonical import canonical_json
from toolspec.syntax.nodes import JsonObject, JsonValue
from toolspec.targets.catalog import TARGET
from toolspec.targets.catalog.catalog import SERVICE, TOOL
from toolspec.targets.target import emit_program


def catalogue(program: Program) -> JsonObject:
    (artifact,) = emit_program(TARGET, program).value
    assert artifact.path == "catalog.json"
    return json.loads(artifact.text)


@pytest.fixture(scope="module")
def schema(repository: Path) -> JsonObject:
    return json.loads((repository / "schemas" / "catalog.v1.schema.json").read_text("utf-8"))


@pytest.mark.parametrize(
    "program",
    [rich_program(), Program(()), Program((service(),)), Program((service(tool("a")),), "__")],
    ids=["rich", "nothing", "no tools", "plain"],
)
def test_keeps_to_its_schema(schema: JsonObject, program: Program) -> None:
    jsonschema_rs.validate(schema, catalogue(program))


def test_the_schema_is_described_and_closed(schema: JsonObject) -> None:
    jsonschema_rs.meta.validate(schema)
    for path, part in objects(schema, "#"):
        closed = part.get("additionalProperties", part.get("propertyNames"))
        assert closed is not None, path
        for name, each in part.get("properties", {}).items():
            described = {"description", "$ref", "const"} & each.keys()
            assert described, f"{path}/{name} is not described"


def objects(value: JsonValue, path: str) -> Iterator[tuple[str, JsonObject]]:
    if isinstance(value, dict):
        if value.get("type") == "object":
            yield path, value
        for key, each in value.items():
            yield from objects(each, f"{path}/{key}")
    elif isinstance(value, list):
        for index, each in enumerate(value):
            yield from objects(each, f"{path}/{index}")


# Bare values need no other: a chunk and its reduction show in a stream alone.
CHANGES = {
    "input_form": InputForm.TEXT,
    "arguments": {"type": "object"},
    "examples": (Example("", {}),),
    "wire_name": "b.c",
    "aliases": ("b",),
    "icon": "wrench",
    "output_content_type": "text/plain",
    "formats": Formats.ANNOTATE,
    "limits": CallLimits(result_bytes=5_000),
    "http": HttpBinding("GET", "/a", "{baseUrl}", "text/plain"),
}
# `instances` are those of the service, which lists them; nothing is made of what is `broken`.
NOT_LISTED = {"location", "input", "chunk", "reduction", "instances", "broken"}


@pytest.mark.parametrize("field", sorted({each.name for each in fields(Tool)} - NOT_LISTED))
def test_whatever_a_tool_says_is_in_the_catalogue(field: str) -> None:
    plain = tool("plain")
    rich = [getattr(each, field) for _, each in rich_program().tools]
    mine = getattr(plain, field)
    other = CHANGES.get(field) or next(each for each in reversed(rich) if each != mine)
    assert catalogue_of(replace(plain, **{field: other})) != catalogue_of(plain)


def test_a_chunk_is_listed_of_a_stream() -> None:
    chunk = Schema.of({"type": "integer"})
    streams = tool("x", streaming=True, chunk=chunk, reduction=Reduction.LIST)
    (entry,) = catalogue_of(streams)["tools"]
    assert entry["reduction"] == "list"
    assert entry["python"]["chunk"] == "XChunk"
    assert entry["digests"]["chunk"] == sha256(canonical_json(chunk.bundle).encode()).hexdigest()


def catalogue_of(*tools: Tool) -> JsonObject:
    return catalogue(Program((service(*tools),)))


def test_digests_are_of_the_canonical_schema() -> None:
    output = {"type": "object", "b": 1, "a": 2}
    (entry,) = catalogue_of(tool("x", output=Schema.of(output)))["tools"]
    expected = sha256(canonical_json(output).encode()).hexdigest()
    assert entry["digests"]["output"] == expected
    (again,) = catalogue_of(tool("x", output=Schema.of({"a": 2, "b": 1, "type": "object"})))[
        "tools"
    ]
    assert again == entry


def test_each_tool_is_in_one_of_three_classes_and_the_rest_cut_across() -> None:
    made = {
        letters: tool(f"t{letters}", annotations=hints("T", letters))
        for letters in ("", "r", "d", "i", "o", "ri", "di", "rdio", "dio")
    }
    lists = catalogue_of(*made.values())["bySafety"]
    full = {letters: each.names.full for letters, each in made.items()}
    assert lists["readOnly"] == [full[each] for each in made if "r" in each]
    assert lists["destructive"] == [full["d"], full["di"], full["dio"]]
    assert lists["writes"] == [full[""], full["i"], full["o"]]
    assert lists["idempotent"] == [full[each] for each in made if "i" in each]
    assert lists["openWorld"] == [full[each] for each in made if "o" in each]


def test_versions_of_one_tool_are_told_apart(schema: JsonObject) -> None:
    old, new = tool("search", version="1.0"), tool("search", version="2.0")
    made = catalogue_of(old, new)
    jsonschema_rs.validate(schema, made)
    assert made["bySafety"]["readOnly"] == ["github_search@1.0", "github_search@2.0"]
    assert {each["name"] for each in made["tools"]} == {"github_search"}


def test_an_import_is_told_apart() -> None:
    listed = {
        each["name"]: each["source"].get("origin") for each in catalogue(rich_program())["tools"]
    }
    assert listed["github_listRepositories"] is None
    assert listed["billing_addNote"] == {
        "kind": "mcp-tools",
        "location": "d.json",
        "member": "note",
    }


def test_members_with_their_default_are_left_out_as_the_schema_says(schema: JsonObject) -> None:
    for kind, defaults in (("service", SERVICE), ("tool", TOOL)):
        declared = schema["$defs"][kind]
        assert defaults == {
            name: member["default"]
            for name, member in declared["properties"].items()
            if "default" in member
        }
        assert not defaults.keys() & set(declared["required"])
    (entry,) = catalogue_of(tool("plain", icon="wrench"))["tools"]
    assert not entry.keys() & TOOL.keys()
    assert not {"exactName", "summary"} & entry.keys()
    (entry,) = catalogue_of(tool("x", tags=("a",), version="1.0", streaming=True))["tools"]
    assert {"tags", "version", "exactName", "streaming"} <= entry.keys()
