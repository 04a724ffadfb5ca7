"""The rules of an import, each on the smallest dump that needs it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from toolspec.diagnostics import Checked, Severity
from toolspec.importers.kinds import KINDS
from toolspec.importers.mcp_tools import ImportedService, import_tools
from toolspec.syntax import parse
from toolspec.syntax.nodes import JsonObject, JsonValue

TOOL: JsonObject = {
    "name": "status",
    "description": "Show the state of the tree.",
    "inputSchema": {"type": "object"},
    "outputSchema": {"type": "object"},
    "annotations": {"readOnlyHint": True},
}
SOURCE: JsonObject = {"kind": "mcp-tools", "location": "dump.json", "member": "status"}


def run(dump: JsonValue, name: str | None = None) -> Checked[ImportedService | None]:
    document = parse("dumps/dump.json", json.dumps(dump).encode()).value
    assert document is not None
    return import_tools(document, name)


def done(dump: JsonValue, name: str | None = None) -> tuple[ImportedService, dict[str, str]]:
    """The import, and of each kind of finding the pointer of the last."""
    checked = run(dump, name)
    assert checked.value is not None
    return checked.value, {each.code: each.subject.pointer for each in checked.diagnostics}


def one(**members: JsonValue) -> tuple[dict[str, Any], set[str], str]:
    """The tool that a dump's only tool becomes, the codes of its findings, and the text."""
    tool = {key: value for key, value in {**TOOL, **members}.items() if value != "-"}
    dump: JsonValue = {"serverInfo": {"name": "git", "version": "1.0.0"}, "tools": [tool]}
    imported, found = done(dump)
    tools: Any = imported.value["tools"]
    return tools[0], found.keys() - {"import/service-description"}, imported.text


@pytest.mark.parametrize(
    "dump",
    [
        {"server": "git", "tools": [TOOL]},
        {"tools": [TOOL]},
        {"jsonrpc": "2.0", "id": 1, "result": {"tools": [TOOL]}},
        [TOOL],
    ],
    ids=["dump", "result", "response", "list"],
)
def test_every_form_of_a_list_is_read(dump: JsonValue) -> None:
    imported, _ = done(dump)
    assert imported.tools == 1
    assert imported.value["tools"] == [
        {
            "name": "status",
            "description": "Show the state of the tree.",
            "inputSchema": {"type": "object"},
            "outputSchema": {"type": "object"},
            "mutation": False,
            "source": SOURCE,
        }
    ]


@pytest.mark.parametrize("dump", [{}, [], 7, "x", None, {"tools": {}}, {"result": {}}, [{"a": 1}]])
def test_anything_else_is_one_error(dump: JsonValue) -> None:
    checked = run(dump)
    assert checked.value is None
    assert [each.code for each in checked.diagnostics] == ["import/no-tools"]


def test_the_service_is_named_after_the_server() -> None:
    info: JsonObject = {"name": "Slack MCP Server", "version": "1.2.3", "title": "Slack"}
    dump: JsonObject = {
        "serverInfo": info,
        "server": "x",
        "instructions": "Go on.",
        "tools": [TOOL],
    }
    imported, found = done(dump)
    assert imported.file_name == "slack.yaml"
    assert imported.value["service"] == {
        "name": "slack",
        "version": "1.2.3",
        "title": "Slack",
        "description": "Tools of Slack.",
        "instructions": "Go on.",
    }
    assert found == {
        "import/service-renamed": "/serverInfo/name",
        "import/service-description": "/serverInfo",
    }


def test_without_a_server_the_file_gives_the_name() -> None:
    imported, found = done({"tools": [TOOL]})
    assert imported.file_name == "dump.yaml"
    assert imported.value["service"] == {
        "name": "dump",
        "version": "0.1.0",
        "description": "Tools of dump.",
    }
    assert found.keys() == {"import/version", "import/service-description"}


def test_the_caller_may_name_the_service() -> None:
    imported, found = done({"serverInfo": {"name": "mcp-git"}, "tools": [TOOL]}, "vcs")
    assert imported.file_name == "vcs.yaml"
    assert "import/service-renamed" not in found
    checked = run({"tools": [TOOL]}, "my_service")
    assert checked.value is None
    assert "use `my-service`" in checked.diagnostics[0].help


def test_what_a_server_says_of_itself_is_kept() -> None:
    icons: JsonValue = [{"src": "https://example.com/git.png", "sizes": ["48x48"]}]
    info: JsonObject = {"name": "git", "version": "1.0", "description": "Git.", "icons": icons}
    imported, found = done({"serverInfo": {**info, "websiteUrl": "https://x"}, "tools": [TOOL]})
    assert imported.value["service"] == {
        "name": "git",
        "version": "0.1.0",
        "description": "Git.",
        "icons": icons,
        "x-mcp": {"websiteUrl": "https://x"},
    }
    assert found == {
        "import/version": "/serverInfo/version",
        "import/kept-aside": "/serverInfo/websiteUrl",
    }


def test_entries_that_are_no_tools_are_left_out_with_a_warning() -> None:
    imported, found = done({"tools": [TOOL, 7, {"description": "nameless"}]})
    assert imported.tools == 1
    assert found["import/not-a-tool"] == "/tools/2"


def test_a_page_and_what_belongs_to_the_dump_alone_are_reported() -> None:
    imported, found = done({"nextCursor": "2", "capabilities": {}, "pages": 1, "tools": [TOOL]})
    assert imported.tools == 1
    assert found["import/more-pages"] == "/nextCursor"
    assert "import/members-left-out" in found


RULES: list[tuple[str, JsonObject, JsonObject, set[str]]] = [
    ("plain", {}, {"mutation": False}, set()),
    (
        "no hints: the worst case",
        {"annotations": "-"},
        {"mutation": True, "annotations": None},
        {"import/mutation-guessed"},
    ),
    (
        "hints that follow from mutation are left out",
        {
            "annotations": {
                "readOnlyHint": False,
                "destructiveHint": True,
                "idempotentHint": False,
                "openWorldHint": True,
            }
        },
        {"mutation": True, "annotations": None},
        set(),
    ),
    (
        "hints that say something else stay",
        {"annotations": {"readOnlyHint": False, "destructiveHint": False, "openWorldHint": False}},
        {"mutation": True, "annotations": {"destructiveHint": False, "openWorldHint": False}},
        set(),
    ),
    (
        "read-only and destructive",
        {"annotations": {"readOnlyHint": True, "destructiveHint": True}},
        {"mutation": False, "annotations": None},
        {"import/hint-dropped"},
    ),
    (
        "read-only and destructive: false",
        {"annotations": {"readOnlyHint": True, "destructiveHint": False}},
        {"mutation": False, "annotations": None},
        set(),
    ),
    (
        "read-only and not idempotent",
        {"annotations": {"readOnlyHint": True, "idempotentHint": False}},
        {"annotations": {"idempotentHint": False}},
        set(),
    ),
    (
        "an unknown annotation and one of the wrong kind",
        {"annotations": {"readOnlyHint": "yes", "category": "vcs"}},
        {"mutation": True, "x-mcp": {"annotations": {"readOnlyHint": "yes", "category": "vcs"}}},
        {"import/mutation-guessed", "import/kept-aside"},
    ),
    (
        "both titles",
        {"title": "Status", "annotations": {"readOnlyHint": True, "title": "Git status"}},
        {"title": "Status", "annotations": {"title": "Git status"}},
        set(),
    ),
    (
        "an empty title",
        {"title": " "},
        {"title": None, "x-mcp": {"title": " "}},
        {"import/kept-aside"},
    ),
    (
        "no output schema",
        {"outputSchema": "-"},
        {"outputSchema": True},
        {"import/output-unknown"},
    ),
    (
        "an output schema that is none",
        {"outputSchema": "text"},
        {"outputSchema": True, "x-mcp": {"outputSchema": "text"}},
        {"import/output-unknown", "import/kept-aside"},
    ),
    (
        "no type at the root of the input",
        {"inputSchema": {"properties": {"a": {"type": "string", "title": "A"}}}},
        {"inputSchema": {"type": "object", "properties": {"a": {"type": "string", "title": "A"}}}},
        {"import/input-root"},
    ),
    (
        "a free-form text as input",
        {"inputSchema": {"type": "string"}},
        {"inputSchema": {"type": "string"}},
        set(),
    ),
    (
        "an input that may be null",
        {"inputSchema": {"type": ["object", "null"], "required": ["a"]}},
        {"inputSchema": {"type": "object", "required": ["a"]}},
        {"import/input-root"},
    ),
    (
        "bounds of draft-04",
        {
            "inputSchema": {
                "type": "object",
                "properties": {
                    "a": {"type": "number", "minimum": 0, "exclusiveMinimum": True},
                    "b": {"type": "number", "maximum": 9, "exclusiveMaximum": False},
                    "exclusiveMinimum": {"const": {"exclusiveMinimum": True}},
                },
            }
        },
        {
            "inputSchema": {
                "type": "object",
                "properties": {
                    "a": {"type": "number", "exclusiveMinimum": 0},
                    "b": {"type": "number", "maximum": 9},
                    "exclusiveMinimum": {"const": {"exclusiveMinimum": True}},
                },
            }
        },
        {"import/bounds-rewritten"},
    ),
    (
        "the names of OpenTabs",
        {
            "inputSchema": "-",
            "outputSchema": "-",
            "input_schema": {"type": "object", "properties": {"a": {"type": "string"}}},
            "output_schema": {"type": "array"},
            "displayName": "Show status",
            "summary": "State.",
            "icon": "list",
            "group": "Trees",
        },
        {
            "inputSchema": {"type": "object", "properties": {"a": {"type": "string"}}},
            "outputSchema": {"type": "array"},
            "title": "Show status",
            "summary": "State.",
            "icon": "list",
            "group": "Trees",
        },
        set(),
    ),
    (
        "the fields of Synthetiq",
        {
            "mutation": False,
            "streaming": True,
            "outputSchema": {"type": "string"},
            "annotations": "-",
        },
        {"mutation": False, "streaming": True, "chunkSchema": None},
        set(),
    ),
    (
        "a stream that does not describe its chunks",
        {"streaming": True},
        {"streaming": True, "chunkSchema": True},
        set(),
    ),
    (
        "mutation and hint that differ",
        {"mutation": True},
        {"mutation": True, "annotations": None},
        {"import/hint-contradicted"},
    ),
    (
        "a field whose value does not fit",
        {"group": ["a"], "tags": "b"},
        {"group": None, "x-mcp": {"group": ["a"], "tags": "b"}},
        {"import/kept-aside"},
    ),
    (
        "an argument for idempotency keys",
        {
            "mutation": True,
            "annotations": "-",
            "inputSchema": {
                "type": "object",
                "properties": {"idempotency_key": {"type": "string"}, "a": {"type": "string"}},
                "required": ["a", "idempotency_key"],
            },
        },
        {
            "idempotency": "required",
            "inputSchema": {
                "type": "object",
                "properties": {"a": {"type": "string"}},
                "required": ["a"],
            },
        },
        {"import/key-taken-over"},
    ),
    (
        "an argument for idempotency keys of one form",
        {
            "mutation": True,
            "annotations": "-",
            "inputSchema": {
                "type": "object",
                "properties": {"idempotency_key": {"type": "string", "pattern": "^[0-9]+$"}},
            },
        },
        {
            "idempotency": None,
            "inputSchema": {
                "type": "object",
                "properties": {"idempotency_key": {"type": "string", "pattern": "^[0-9]+$"}},
            },
        },
        set(),
    ),
    (
        "suppressions of its own",
        {"x-toolspec-allow": [{"rule": "safety", "reason": "because I say so"}], "x-own": 1},
        {
            "x-own": 1,
            "x-mcp": {"x-toolspec-allow": [{"rule": "safety", "reason": "because I say so"}]},
        },
        {"import/kept-aside"},
    ),
    (
        "an input that is not an object",
        {"inputSchema": {"type": "array"}},
        {"inputSchema": {"type": "object"}, "x-mcp": {"inputSchema": {"type": "array"}}},
        {"import/input-replaced", "import/kept-aside"},
    ),
    (
        "no input",
        {"inputSchema": "-"},
        {"inputSchema": {"type": "object"}},
        {"import/input-replaced"},
    ),
    (
        "an older dialect",
        {"inputSchema": {"type": "object", "$schema": "http://json-schema.org/draft-07/schema#"}},
        {"inputSchema": {"type": "object", "$schema": "http://json-schema.org/draft-07/schema#"}},
        set(),
    ),
    (
        "no description",
        {"description": " \n"},
        {"description": "No description was given."},
        {"import/no-description"},
    ),
    ("a task", {"execution": {"taskSupport": "optional"}}, {"taskSupport": "optional"}, set()),
    ("no task", {"execution": {"taskSupport": "forbidden"}}, {"taskSupport": None}, set()),
    (
        "an unknown task",
        {"execution": {"taskSupport": "maybe", "cost": 1}},
        {"x-mcp": {"execution": {"taskSupport": "maybe", "cost": 1}}},
        {"import/kept-aside"},
    ),
    (
        "icons",
        {"icons": [{"src": "https://example.com/a.svg", "theme": "dark"}]},
        {"icons": [{"src": "https://example.com/a.svg", "theme": "dark"}]},
        set(),
    ),
    (
        "icons from elsewhere",
        {"icons": [{"src": "http://example.com/a.svg"}]},
        {"icons": None, "x-mcp": {"icons": [{"src": "http://example.com/a.svg"}]}},
        {"import/kept-aside"},
    ),
    (
        "unknown members",
        {"_meta": {"a": [1]}, "id": "x"},
        {"x-mcp": {"_meta": {"a": [1]}, "id": "x"}},
        {"import/kept-aside"},
    ),
    (
        "null for nothing",
        {"title": None, "outputSchema": None},
        {"title": None, "outputSchema": True, "x-mcp": None},
        {"import/null-left-out", "import/output-unknown"},
    ),
    (
        "a dotted name",
        {"name": "notes.list"},
        {"name": "notes_list", "aliases": ["notes.list"]},
        {"import/tool-renamed"},
    ),
    (
        "a name that cannot even be an alias",
        {"name": "list all"},
        {"name": "list_all", "aliases": None, "x-mcp": {"name": "list all"}},
        {"import/tool-renamed"},
    ),
    (
        "the service's name in front",
        {"name": "git_status"},
        {"name": "status", "aliases": None, "x-mcp": None},
        {"import/prefix-dropped"},
    ),
    (
        "the service's name with another separator",
        {"name": "git-status"},
        {"name": "status", "aliases": ["git-status"]},
        {"import/prefix-dropped"},
    ),
]


@pytest.mark.parametrize(
    ("members", "expected", "codes"), [rule[1:] for rule in RULES], ids=[rule[0] for rule in RULES]
)
def test_rule(members: JsonObject, expected: JsonObject, codes: set[str]) -> None:
    tool, found, _ = one(**members)
    assert {key: tool.get(key) for key in expected} == expected
    assert found == codes


def test_a_name_that_another_tool_has_is_no_alias() -> None:
    twice: JsonValue = [TOOL, TOOL]
    imported, _ = done({"tools": twice})
    tools: Any = imported.value["tools"]
    assert [tool["name"] for tool in tools] == ["status", "status_2"]
    assert tools[1]["x-mcp"] == {"name": "status"}


def test_what_was_guessed_is_said_beside_it() -> None:
    tool: JsonObject = {"name": "git_status", "inputSchema": {}, "description": "Status: all of it"}
    dump: JsonValue = {
        "protocolVersion": "2025-11-25",
        "serverInfo": {"name": "mcp-git", "version": "2026.10.19"},
        "tools": [tool],
    }
    imported, _ = done(dump)
    assert (
        imported.text
        == """\
# Imported from dump.json: 1 tool of mcp-git 2026.10.19, MCP 2025-11-25.
# Guessed or changed; please review:
#   1 x `mutation: true`, where nothing marks a tool as read-only
#   1 x `outputSchema: true`, where the result has no schema
#   1 x `type: object` added to an input schema
#   1 x the service's name dropped from the beginning of a tool's name

toolspec: 1
service:
  name: git # after `mcp-git`
  version: "2026.10.19"
  title: mcp-git
  description: Tools of mcp-git. # generated
tools:
  - name: status # `git_status` in the list
    description: "Status: all of it"
    # the list lacks `type: object`
    inputSchema: {type: object}
    outputSchema: true # anything: the list does not describe the result
    mutation: true # guessed, the worst case: the list has no `readOnlyHint`
    source: {kind: mcp-tools, location: dump.json, member: git_status}
"""
    )


def test_a_hostile_name_stays_inside_its_comment() -> None:
    name = "x\nservice: {name: evil}"
    dump: JsonValue = {"serverInfo": {"name": name}, "tools": [{**TOOL, "name": name}]}
    imported, _ = done(dump)
    read = parse("x.yaml", imported.text.encode()).value
    assert read is not None
    assert read.value == imported.value
    assert imported.file_name == "x-service-name-evil.yaml"


def test_errors_are_missing_lists_bad_names_and_tools_left_out() -> None:
    errors = {kind.code for kind in KINDS if kind.severity is Severity.ERROR}
    assert errors == {
        "import/no-tools",
        "import/no-functions",
        "import/not-a-nao-tool",
        "import/unknown-member",
        "import/missing-member",
        "import/wrong-member",
        "import/service-name",
        "import/left-out",
    }
