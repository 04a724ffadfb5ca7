"""A foreign catalogue with payloads: what is imported is one document of the same build, and inert."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import inertness
import pytest
from compiling import compiled
from forked_runs import run_all
from payloads import Steps, payloads, texts, with_text
from sampling import sampled
from toolspec.diagnostics import Checked
from toolspec.importers.dump import Dump, read_dump
from toolspec.importers.function_lists import read_functions
from toolspec.importers.mcp_tools import ImportPlan, import_dump
from toolspec.importers.nao import read_nao
from toolspec.reports import render
from toolspec.syntax import parse
from toolspec.syntax.nodes import Document

DUMP: dict[str, Any] = {
    "serverInfo": {"name": "tracker", "version": "1.2.3", "title": "Tracker"},
    "instructions": "Search first.",
    "protocolVersion": "2025-11-25",
    "tools": [
        {
            "name": "search",
            "title": "Search",
            "description": "Search issues.",
            "inputSchema": {
                "type": "object",
                "title": "Input",
                "description": "What to look for.",
                "properties": {
                    "query": {"type": "string", "description": "Words.", "default": "all"},
                    "state": {"enum": ["open", "shut"], "description": "State."},
                },
                "x-note": "kept",
            },
            "outputSchema": {"type": "object", "description": "Matches."},
            "annotations": {"title": "Search", "readOnlyHint": True, "note": "dropped"},
            "icons": [{"src": "https://example.com/i.png", "mimeType": "image/png"}],
            "_meta": {"owner": "tools"},
            "surplus": "dropped",
        }
    ],
    "nextCursor": "more",
}
QUERY: dict[str, Any] = {
    "type": "object",
    "properties": {"query": {"enum": ["all", None], "description": "Words."}},
    "required": ["query"],
}
NAO_WITH_EVERYTHING: dict[str, Any] = {
    "name": "search",
    "version": "1.0",
    "description": "Search issues.",
    "runtime": "deno",
    "execution": {"type": "process", "command": "grep", "args": ["-i"]},
    "verify": {
        "type": "http",
        "url": "https://a.example/v",
        "method": "GET",
        "headers": {"X": "y"},
    },
    "revert": {"type": "custom", "executor": "grpc", "config": {"at": "there"}},
    "output_content_type": "text/plain",
}
CATALOGUES: dict[str, Any] = {
    "mcp-tools": DUMP,
    "openai": [{"type": "function", "name": "a", "description": "b", "parameters": QUERY, "strict": True, "more": "c"}],
    "anthropic": {"model": "d", "tools": [{"name": "a", "description": "b", "input_schema": QUERY}]},
    "gemini": {"functionDeclarations": [{"name": "a", "description": "b", "parameters": QUERY}]},
    "bedrock": {"tools": [{"toolSpec": {"name": "a", "description": "b", "inputSchema": {"json": QUERY}}}]},
    "nao": NAO_WITH_EVERYTHING,
    "nao-http": {
        "name": "search",
        "execution": {"type": "http", "url": "https://a.example/v", "method": "POST", "headers": {}},
    },
}  # fmt: skip


def read(kind: str, document: Document) -> Checked[Dump | None]:
    if kind.startswith("nao"):
        return read_nao([document], "tracker")
    return read_dump(document) if kind == "mcp-tools" else read_functions(document, kind)


def faults(folder: Path, path: Steps, payload: str, kind: str = "mcp-tools") -> list[str]:
    document = parse("dump.json", json.dumps(with_text(CATALOGUES[kind], path, payload)).encode())
    if document.value is None:
        return []
    dump = read(kind, document.value)
    imported: Any = dump
    if dump.value is not None:
        imported = import_dump(dump.value, None, ImportPlan())
        imported = Checked(imported.value, (*dump.diagnostics, *imported.diagnostics))
    found = list(inertness.terminal_faults(render("text", imported.diagnostics, verbose=True)))
    if imported.value is None:
        return found if imported.diagnostics else [*found, "refused without a word"]
    name, text = imported.value.file_name, imported.value.text
    if "/" in name or not name.isascii() or not name.endswith(".yaml"):
        found.append(f"a file named {name}")
    again = parse(name, text.encode())
    value = again.value.value if again.value else None
    if not again.ok or not isinstance(value, dict):
        return [*found, f"no document: {[each.message for each in again.diagnostics]}"]
    tools = value["tools"]
    if set(value) != {"toolspec", "service", "tools"} or len(tools) > len(DUMP["tools"]):
        found.append(f"another document: {sorted(value)}")
    if not tools:  # nothing of the name can be one
        return found if imported.diagnostics else [*found, "lost a tool without a word"]
    if inertness.CANARY in json.dumps([*value, *value["service"], *tools[0]]):
        found.append("a key of the canary")
    outcome = compiled(folder, {"imported.yaml": text})
    found += inertness.terminal_faults(render("text", outcome.diagnostics, verbose=True))
    for artifact, content in outcome.artifacts.items():
        found += inertness.faults(artifact, content, is_name="name" in path)
    return found


@pytest.mark.parametrize("path", sampled(texts(DUMP), 1), ids=lambda path: ".".join(map(str, path)))
def test_an_imported_payload_stays_a_text(path: Steps, tmp_path: Path) -> None:
    found = {name: faults(tmp_path, path, text) for name, text in sorted(payloads().items())[::9]}
    assert {name: each for name, each in found.items() if each} == {}


OTHERS = [
    (kind, path) for kind, value in CATALOGUES.items() if value is not DUMP for path in texts(value)
]


@pytest.mark.parametrize("place", sampled(OTHERS, 1))
def test_a_payload_in_another_list_stays_a_text(place: tuple[str, Steps], tmp_path: Path) -> None:
    kind, path = place
    found = {
        name: faults(tmp_path, path, text, kind) for name, text in sorted(payloads().items())[::9]
    }
    assert {name: each for name, each in found.items() if each} == {}


@pytest.mark.prove
@pytest.mark.parametrize("path", texts(DUMP), ids=lambda path: ".".join(map(str, path)))
def test_every_imported_payload_stays_a_text(path: Steps, tmp_path: Path) -> None:
    found = {name: faults(tmp_path, path, text) for name, text in payloads().items()}
    assert {name: each for name, each in found.items() if each} == {}


def test_an_import_writes_through_no_link(tmp_path: Path) -> None:
    command = ["import", "mcp-tools", "dump.json", "--to", "specs"]
    jobs = []
    for target in ("there", "nothing"):
        for options in ([], ["--force"]):
            folder = tmp_path / f"{target}{len(options)}"
            (folder / "specs").mkdir(parents=True)
            (folder / "dump.json").write_text(json.dumps(DUMP))
            (folder / "there").write_text("somebody's")
            (folder / "specs" / "tracker.yaml").symlink_to(folder / target)
            jobs.append((folder, [*command, *options]))
    for (folder, arguments), run in zip(jobs, run_all(jobs), strict=True):
        assert (folder / "there").read_text() == "somebody's"
        assert not (folder / "nothing").exists()
        is_forced = "--force" in arguments
        assert (folder / "specs" / "tracker.yaml").is_symlink() is not is_forced, run
