"""A dump that is imported and compiled comes back: tool by tool, but for the documented changes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from normalise_dump import comparable, normalised
from toolspec.diagnostics import Severity
from toolspec.driver.build import Build, Request, build
from toolspec.importers.mcp_tools import ImportedService, import_tools
from toolspec.syntax import parse
from toolspec.syntax.nodes import JsonObject, JsonValue

TARGETS = ("mcp-2025-11-25", "mcp-2026-07-28")
HAND_MADE: JsonValue = {
    "serverInfo": {"name": "mcp-git", "version": "1.0.0"},
    "tools": [
        {"name": "git_status", "description": "Status.", "inputSchema": {}},
        {
            "name": "git.log all",
            "title": "Log",
            "description": " Blanks at both ends \n",
            "inputSchema": {
                "$schema": "http://json-schema.org/draft-07/schema#",
                "type": "object",
                "properties": {"from": {"type": "string", "title": "From"}},
            },
            "outputSchema": {"type": "object", "x-wrap": True},
            "annotations": {"readOnlyHint": True, "destructiveHint": True, "category": "vcs"},
            "execution": {"taskSupport": "required"},
            "icons": [{"src": "https://example.com/log.png"}, {"src": "http://example.com/x"}],
            "_meta": {"tags": ["read"]},
            "id": 7,
        },
        {"name": "show", "description": None, "inputSchema": {"type": "object"}, "title": None},
    ],
}


def imported_into(folder: Path, name: str, data: bytes) -> tuple[list[JsonValue], ImportedService]:
    document = parse(name, data).value
    assert document is not None
    imported = import_tools(document).value
    assert imported is not None
    (folder / imported.file_name).write_text(imported.text, encoding="utf-8")
    assert isinstance(document.value, dict)
    tools = document.value["tools"]
    assert isinstance(tools, list)
    return tools, imported


def compiled(folder: Path) -> Build:
    checked = build(Request(("specs",), targets=TARGETS, folder=folder))
    errors = [each for each in checked.diagnostics if each.severity is Severity.ERROR]
    assert not errors, [(each.code, each.message) for each in errors]
    return checked.value


def manifest(done: Build, target: str, service: str) -> list[JsonObject]:
    """The tools of the manifest that a target made of a service."""
    file = "mcp.json" if target == "mcp-2026-07-28" else f"{target}.json"
    path = f"{service.replace('-', '_')}/{file}"
    content = next(each.content for each in done.changes if each.path == path)
    assert content is not None
    tools: list[JsonObject] = json.loads(content.read())["tools"]
    return tools


def compare(done: Build, tools: list[JsonValue], imported: ImportedService, target: str) -> None:
    service = imported.file_name.removesuffix(".yaml")
    specs = imported.value["tools"]
    assert isinstance(specs, list)
    emitted = manifest(done, target, service)
    for tool, spec, shown in zip(tools, specs, emitted, strict=True):
        assert isinstance(tool, dict)
        assert isinstance(spec, dict)
        full = f"{service}_{spec['name']}"
        assert comparable(shown, tool) == normalised(tool, full, target)


@pytest.fixture
def specs(tmp_path: Path) -> Path:
    folder = tmp_path / "specs"
    folder.mkdir()
    return folder


@pytest.mark.parametrize("target", TARGETS)
def test_a_dump_with_everything_comes_back(specs: Path, target: str) -> None:
    tools, imported = imported_into(specs, "dump.json", json.dumps(HAND_MADE).encode())
    compare(compiled(specs.parent), tools, imported, target)


@pytest.mark.prove
def test_every_dump_of_a_real_server_comes_back(specs: Path, corpus: Path) -> None:
    dumps = sorted((corpus / "mcp-tools").glob("*.json"))
    assert len(dumps) == 22
    known = [imported_into(specs, dump.name, dump.read_bytes()) for dump in dumps]
    done = compiled(specs.parent)
    for tools, imported in known:
        for target in TARGETS:
            compare(done, tools, imported, target)
