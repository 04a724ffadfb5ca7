"""A foreign catalogue with payloads: what is imported is one document of the same build, and inert."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import inertness
import pytest
from compiling import compiled
from forked_runs import run_all
from payloads import payloads
from sampling import sampled
from toolspec.importers.mcp_tools import import_tools
from toolspec.reports import render
from toolspec.syntax import parse

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
Steps = tuple[str | int, ...]


def texts(value: Any, path: Steps = ()) -> list[Steps]:
    if isinstance(value, str):
        return [path]
    if not isinstance(value, dict | list):
        return []
    items = value.items() if isinstance(value, dict) else enumerate(value)
    return [found for key, each in items for found in texts(each, (*path, key))]


def filled(path: Steps, payload: str) -> dict[str, Any]:
    dump = copy.deepcopy(DUMP)
    parent: Any = dump
    for step in path[:-1]:
        parent = parent[step]
    parent[path[-1]] = payload
    return dump


def faults(folder: Path, path: Steps, payload: str) -> list[str]:
    dump = parse("dump.json", json.dumps(filled(path, payload)).encode())
    if dump.value is None:
        return []
    imported = import_tools(dump.value, None)
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


@pytest.mark.parametrize("path", sampled(texts(DUMP), 8), ids=lambda path: ".".join(map(str, path)))
def test_an_imported_payload_stays_a_text(path: Steps, tmp_path: Path) -> None:
    found = {name: faults(tmp_path, path, text) for name, text in sorted(payloads().items())[::9]}
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
