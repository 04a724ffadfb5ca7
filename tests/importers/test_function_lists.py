"""Tool lists of model providers: each form is read, and what was lowered comes back up to its ledger."""

from __future__ import annotations

import json
import shutil
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import yaml
from ledger_differences import unaccounted
from sampling import sampled
from toolspec.diagnostics import Severity
from toolspec.driver.build import Build, Request, build
from toolspec.driver.imports import Destination, import_files, import_mcp_tools
from toolspec.importers.function_lists import PROVIDERS, read_functions
from toolspec.importers.strict_nulls import StrictNulls
from toolspec.ir import Tool
from toolspec.providers.profile import find_profile
from toolspec.targets import discovery
from toolspec.targets.versions import answering

TARGETS = {
    each.name: provider
    for each in discovery.built_in()
    for provider in PROVIDERS
    if each.name.split("-")[0] == provider
}
SMALL = ("npm-everything", "pypi-git", "pypi-time")
"""Dumps of which `make test` lowers the tools; `make prove` those of all."""

IN_A_LIST = {
    "name",
    "names",
    "description",
    "arguments",
    "input",
    "input_form",
    "output",
    "idempotency",
}
NOT_IN_A_LIST = {
    "aliases", "annotations", "chunk", "deprecated", "effects", "errors", "examples", "extensions",
    "formats", "group", "hooks", "http", "icon", "icons", "instances", "limits", "mutation",
    "output_content_type", "permissions", "provenance", "reduction", "revert", "risk", "scopes",
    "streaming", "summary", "tags", "task_support", "timeout", "title", "verify", "version",
    "wire_name",
}  # fmt: skip
"""Fields of a tool that no list of functions says anything about: they get their defaults."""


def written(folder: Path, dumps: list[Path]) -> Build:
    import_mcp_tools(dumps, folder / "specs", None)
    return compiled(folder, tuple(TARGETS))


def compiled(folder: Path, targets: tuple[str, ...]) -> Build:
    checked = build(Request(("specs",), targets=targets, folder=folder))
    errors = [each for each in checked.diagnostics if each.severity is Severity.ERROR]
    assert [each.message for each in errors if each.suppression is None] == []
    return checked.value


def assert_comes_back(folder: Path, lowered: Build, target: str) -> int:
    """Import all lists of a target, and compare each tool with the one that was lowered."""
    files = {each.path: each.content.read() for each in lowered.changes if each.content}
    services = {service.name: service for service, _ in lowered.program.tools}
    for name, service in services.items():
        data = json.loads(files[f"{service.names.module}/{target}.json"])
        file = folder / "lists" / f"{name}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(data))
        keeps_names = any(tool.names.full != f"{name}_{tool.name}" for tool in service.tools)
        done = import_files(
            [file],
            Destination(folder / "specs", name, keeps_names),
            lambda document: read_functions(document, TARGETS[target]),
        )
        errors = [each.message for each in done.diagnostics if each.severity is Severity.ERROR]
        assert errors == [], (target, name)
    after = {tool.names.full: tool for _, tool in compiled(folder, ("catalog",)).program.tools}
    different: dict[str, list[str]] = {}
    count = 0
    for service, tool in lowered.program.tools:
        if tool not in answering(service.tools):
            continue
        ledgers = json.loads(files[f"{service.names.module}/{target}.ledger.json"])["tools"]
        ledger = next(each for each in ledgers if each["tool"] == tool.names.full)
        if ledger["form"] == "left out":
            continue
        changes = {each["pointer"]: each for each in ledger["changes"]}
        assert ledger["name"] == tool.names.full or "" in changes
        returned = after[ledger["name"]]
        if returned.description != tool.description:
            assert returned.description.startswith(tool.description) or "" in changes
            assert any(each.count("/") <= 1 for each in changes), (target, tool.names.full)
        arguments = dict(returned.arguments)
        if TARGETS[target] == "anthropic" and tool.examples:
            arguments.pop("examples", None)  # the arguments of its examples
        if left := unaccounted(tool.arguments, arguments, changes):
            different[tool.names.full] = left
        count += 1
    assert different == {}
    return count


def test_every_provider_target_has_an_import() -> None:
    names = {each.name for each in discovery.built_in() if find_profile(each.name)}
    assert {name for name in names if not name.startswith("mcp-")} == set(TARGETS)


def test_every_field_of_a_tool_is_in_a_list_or_named() -> None:
    names = {each.name for each in fields(Tool)} - {"location", "broken"}
    assert names == IN_A_LIST | NOT_IN_A_LIST


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory, repository: Path) -> Build:
    folder = tmp_path_factory.mktemp("examples")
    shutil.copytree(repository / "specs", folder / "specs")
    return compiled(folder, tuple(TARGETS))


@pytest.mark.parametrize("target", sampled(TARGETS, 1))
def test_the_example_services_come_back(examples: Build, tmp_path: Path, target: str) -> None:
    assert assert_comes_back(tmp_path, examples, target) > 30


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory, corpus: Path) -> Build:
    dumps = [corpus / "mcp-tools" / f"{name}.json" for name in SMALL]
    return written(tmp_path_factory.mktemp("small"), dumps)


@pytest.mark.parametrize("target", sampled(TARGETS, 2))
def test_what_is_lowered_comes_back(small: Build, tmp_path: Path, target: str) -> None:
    assert assert_comes_back(tmp_path, small, target) > 20


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, corpus: Path) -> Build:
    dumps = sorted((corpus / "mcp-tools").glob("*.json"))
    assert len(dumps) == 22
    return written(tmp_path_factory.mktemp("whole"), dumps)


@pytest.mark.prove
@pytest.mark.parametrize("target", TARGETS)
def test_every_tool_of_real_servers_comes_back(whole: Build, tmp_path: Path, target: str) -> None:
    assert assert_comes_back(tmp_path, whole, target) > 800


QUERY = {
    "type": "object",
    "properties": {"query": {"type": "string", "description": "Words to look for."}},
    "required": ["query"],
    "additionalProperties": False,
}
SEARCH = {"name": "search", "description": "Search the notes."}
CHAT = {"type": "function", "function": {**SEARCH, "parameters": QUERY}}
RESPONSES = {"type": "function", **SEARCH, "parameters": QUERY, "strict": False}
CLAUDE = {**SEARCH, "input_schema": QUERY}
DECLARED = {**SEARCH, "parametersJsonSchema": QUERY}
CONVERSE = {"toolSpec": {**SEARCH, "inputSchema": {"json": QUERY}}}
SUBSET = {
    "type": "OBJECT",
    "properties": {"query": {"type": "STRING", "description": "Words to look for."}},
    "required": ["query"],
    "additionalProperties": False,
    "propertyOrdering": ["query"],
}
FORMS: dict[str, list[Any]] = {
    "openai": [
        [CHAT], [RESPONSES], CHAT, RESPONSES, {"tools": [CHAT]},
        {"model": "gpt-6", "tools": [RESPONSES]}, {"functions": [{**SEARCH, "parameters": QUERY}]},
        [{"type": "namespace", "name": "notes", "tools": [RESPONSES]}],
    ],
    "anthropic": [
        [CLAUDE], CLAUDE, {"tools": [CLAUDE]}, [{**CLAUDE, "type": "custom", "strict": True}],
    ],
    "gemini": [
        [{"functionDeclarations": [DECLARED]}], {"tools": [{"functionDeclarations": [DECLARED]}]},
        {"function_declarations": [DECLARED]}, [DECLARED], DECLARED,
        [{**SEARCH, "parameters_json_schema": QUERY}], [{**SEARCH, "parameters": SUBSET}],
    ],
    "bedrock": [
        {"tools": [CONVERSE]}, {"toolConfig": {"tools": [CONVERSE]}}, [CONVERSE], CONVERSE,
        CONVERSE["toolSpec"],
    ],
    "mistral": [[CHAT], CHAT, {"tools": [CHAT]}],
}  # fmt: skip


def imported(
    folder: Path, provider: str, value: Any, nulls: StrictNulls = StrictNulls.OPTIONAL
) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """Return the tools that a list becomes, and the last message of each code."""
    file = folder / "tools.json"
    file.write_text(json.dumps(value))
    done = import_files(
        [file],
        Destination(folder / "specs", replace=True),
        lambda document: read_functions(document, provider, nulls),
    )
    messages = {each.code: each.message for each in done.diagnostics}
    if not done.value:
        return [], messages
    compiled(folder, ("catalog",))
    return yaml.safe_load(Path(done.value[0].path).read_text())["tools"], messages


@pytest.mark.parametrize(
    ("provider", "value"),
    [(provider, value) for provider, values in FORMS.items() for value in values],
)
def test_every_form_of_a_list_is_read(tmp_path: Path, provider: str, value: Any) -> None:
    (tool,), _ = imported(tmp_path, provider, value)
    assert {name: tool[name] for name in ("name", "description", "inputSchema")} == {
        **SEARCH,
        "inputSchema": QUERY,
    }
    assert tool["source"] == {"kind": provider, "location": "tools.json", "member": "search"}


@pytest.mark.parametrize(
    ("provider", "value"),
    [
        ("openai", []), ("openai", {}), ("openai", [CLAUDE["input_schema"]]), ("openai", 7),
        ("openai", [{"type": "web_search"}]), ("anthropic", {"name": 5}), ("anthropic", [[]]),
        ("gemini", [{"googleSearch": {}}]), ("bedrock", {"tools": [{"cachePoint": {}}]}),
        ("mistral", {"messages": []}),
    ],
)  # fmt: skip
def test_a_list_without_functions_is_an_error(tmp_path: Path, provider: str, value: Any) -> None:
    tools, messages = imported(tmp_path, provider, value)
    assert tools == []
    assert messages["import/no-functions"] == f"no tool of a {provider} list in this file"
    assert not (tmp_path / "specs").exists()


@pytest.mark.parametrize(
    ("provider", "value", "said"),
    [
        ("openai", [CHAT, {"type": "web_search"}], "`web_search` is run by the provider"),
        ("anthropic", [CLAUDE, {"type": "bash_20250124", "name": "bash"}], "`bash_20250124` is run"),
        ("gemini", [DECLARED, {"googleSearch": {}}], "`googleSearch` is run by the provider"),
        ("bedrock", [CONVERSE, {"cachePoint": {"type": "default"}}], "`cachePoint` is run"),
        ("mistral", [CHAT, {"type": "function", "function": {}}], "it has no `name`"),
        ("openai", [CHAT, 7], "it is not an object"),
    ],
)  # fmt: skip
def test_what_the_provider_runs_is_left_out_and_named(
    tmp_path: Path, provider: str, value: Any, said: str
) -> None:
    tools, messages = imported(tmp_path, provider, value)
    assert [tool["name"] for tool in tools] == ["search"]
    assert said in messages["import/not-a-tool"]
    assert "entry 2 " in messages["import/not-a-tool"]


def test_members_for_one_provider_are_reported_as_lost(tmp_path: Path) -> None:
    value = [{**CLAUDE, "cache_control": {"type": "ephemeral"}}]
    (tool,), messages = imported(tmp_path, "anthropic", value)
    assert "x-mcp" not in tool
    assert messages["import/lost"].startswith("`cache_control` of `search` is left out")


def test_examples_of_inputs_become_those_of_the_schema(tmp_path: Path) -> None:
    value = [{**CLAUDE, "input_examples": [{"query": "milk"}]}]
    (tool,), _ = imported(tmp_path, "anthropic", value)
    assert tool["inputSchema"]["examples"] == [{"query": "milk"}]


@pytest.mark.parametrize("parameters", [None, {}, "-"])
def test_a_function_without_parameters_takes_none(tmp_path: Path, parameters: Any) -> None:
    members = {} if parameters == "-" else {"parameters": parameters}
    (tool,), _ = imported(tmp_path, "openai", [{"type": "function", **SEARCH, **members}])
    assert tool["inputSchema"] == {"type": "object", "additionalProperties": False}


def test_free_text_of_openai_is_a_tool_that_takes_a_text(tmp_path: Path) -> None:
    value = [{"type": "custom", **SEARCH, "format": {"type": "text"}}]
    (tool,), messages = imported(tmp_path, "openai", value)
    assert tool["inputSchema"] == {"type": "string"}
    assert "import/lost" in messages


STRICT = {
    "type": "object",
    "properties": {
        "limit": {"type": ["integer", "null"], "minimum": 1},
        "sort": {"type": ["string", "null"], "enum": ["up", "down", None]},
        "page": {
            "description": "Where to go on.",
            "anyOf": [{"$ref": "#/$defs/Page"}, {"type": "null"}],
        },
        "query": {"type": "string"},
    },
    "required": ["limit", "sort", "page", "query"],
    "additionalProperties": False,
    "$defs": {
        "Page": {
            "type": "object",
            "properties": {
                "at": {"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]}
            },
            "required": ["at"],
            "additionalProperties": False,
        }
    },
}
OPTIONAL = {
    "type": "object",
    "properties": {
        "limit": {"type": "integer", "minimum": 1},
        "sort": {"type": "string", "enum": ["up", "down"]},
        "page": {"description": "Where to go on.", "$ref": "#/$defs/Page"},
        "query": {"type": "string"},
    },
    "required": ["query"],
    "additionalProperties": False,
    "$defs": {
        "Page": {
            "type": "object",
            "properties": {"at": {"anyOf": [{"type": "string"}, {"type": "integer"}]}},
            "additionalProperties": False,
        }
    },
}
NULLABLE = {
    **STRICT,
    "required": ["query"],
    "$defs": {"Page": {key: value for key, value in STRICT["$defs"]["Page"].items() if key != "required"}},
}  # fmt: skip


@pytest.mark.parametrize(
    ("nulls", "expected"),
    [
        (StrictNulls.OPTIONAL, OPTIONAL),
        (StrictNulls.REQUIRED, STRICT),
        (StrictNulls.NULLABLE, NULLABLE),
    ],
)
def test_null_in_a_strict_schema_has_the_meaning_that_is_asked_for(
    tmp_path: Path, nulls: StrictNulls, expected: Any
) -> None:
    value = {"type": "function", **SEARCH, "parameters": STRICT, "strict": True}
    (tool,), messages = imported(tmp_path, "openai", value, nulls)
    assert tool["inputSchema"] == expected
    assert "import/strict-null" in messages
    (loose,), messages = imported(tmp_path, "openai", {**value, "strict": False}, nulls)
    assert loose["inputSchema"] == STRICT
    assert "import/strict-null" not in messages


def test_each_use_of_a_meaning_is_reported_where_it_is(tmp_path: Path) -> None:
    file = tmp_path / "tools.json"
    file.write_text(
        json.dumps({"type": "function", **SEARCH, "parameters": STRICT, "strict": True})
    )
    done = import_files(
        [file], Destination(tmp_path / "specs"), lambda read: read_functions(read, "openai")
    )
    uses = [each for each in done.diagnostics if each.code == "import/strict-null"]
    assert [each.subject.pointer for each in uses] == [
        "/parameters/$defs/Page/properties/at",
        "/parameters/properties/limit",
        "/parameters/properties/sort",
        "/parameters/properties/page",
    ]
    assert all(each.span is not None for each in uses)


def test_the_part_of_openapi_becomes_json_schema(tmp_path: Path) -> None:
    parameters = {
        "type": "OBJECT",
        "properties": {
            "sort": {"type": "STRING", "format": "enum", "enum": ["up", "down"], "nullable": True},
            "ids": {"type": "ARRAY", "items": {"type": "INTEGER"}, "minItems": "1"},
            "from": {"anyOf": [{"type": "STRING"}, {"type": "NUMBER"}], "nullable": True},
            "size": {"type": "TYPE_UNSPECIFIED", "example": 5},
            "type": {"type": "STRING"},
        },
    }
    (tool,), _ = imported(tmp_path, "gemini", [{**SEARCH, "parameters": parameters}])
    assert tool["inputSchema"] == {
        "type": "object",
        "properties": {
            "sort": {"type": ["string", "null"], "enum": ["up", "down", None]},
            "ids": {"type": "array", "items": {"type": "integer"}, "minItems": 1},
            "from": {"anyOf": [{"type": "string"}, {"type": "number"}, {"type": "null"}]},
            "size": {"examples": [5]},
            "type": {"type": "string"},
        },
    }
