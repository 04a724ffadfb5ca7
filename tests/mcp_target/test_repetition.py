"""`target/repeated-definitions`: its figures are those of the manifest, and its fingerprint has none."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from toolspec.driver.build import Request, build
from toolspec.sinks.json_text import JsonSerializer

if TYPE_CHECKING:
    from pathlib import Path

    from toolspec.diagnostics import Diagnostic

FILES = {"mcp-2026-07-28": "records/mcp.json", "mcp-2025-11-25": "records/mcp-2025-11-25.json"}


def document(tools: int, definitions: int, words: int) -> dict[str, Any]:
    """Return a service whose tools each reach every definition; some names need escaping."""
    names = [f"Part é {number}" for number in range(definitions)]
    pointers = [f"#/$defs/Part%20%C3%A9%20{number}" for number in range(definitions)]
    return {
        "toolspec": 1,
        "service": {"name": "records", "description": "Reads records."},
        "$defs": {
            name: {
                "type": "object",
                "description": "word " * words,
                "properties": {"next": {"$ref": pointers[(at + 1) % definitions]}},
            }
            for at, name in enumerate(names)
        },
        "tools": [
            {
                "name": f"read{number:03}",
                "description": f"Read record {number}.",
                "mutation": False,
                "inputSchema": {
                    "type": "object",
                    "properties": {"like": {"$ref": pointers[number % definitions]}},
                },
                "outputSchema": {"$ref": pointers[0]},
            }
            for number in range(tools)
        ],
    }


def compiled(folder: Path, spec: dict[str, Any]) -> tuple[dict[str, str], list[Diagnostic]]:
    """Return the manifests of a service by target, and the notes about them."""
    (folder / "specs").mkdir(parents=True)
    (folder / "specs" / "records.json").write_text(json.dumps(spec), encoding="utf-8")
    done = build(Request(("specs",), targets=tuple(FILES), folder=folder))
    contents = {each.path: each.content for each in done.value.changes}
    texts = {
        target: content.read().decode()
        for target, path in FILES.items()
        if (content := contents[path]) is not None
    }
    notes = [each for each in done.diagnostics if each.code == "target/repeated-definitions"]
    return texts, notes


def repeated(manifest: str) -> int:
    """Return how many bytes of a manifest are definitions beyond the first copy of each."""
    schemas = [
        schema
        for tool in json.loads(manifest)["tools"]
        for schema in (tool["inputSchema"], tool["outputSchema"])
    ]
    serializer, line = JsonSerializer(), "\n" + " " * 10
    first = {name: each for schema in schemas for name, each in schema["$defs"].items()}
    entries = {
        name: f"{line}{json.dumps(name)}: {serializer.text(each, line)[:-1]},"
        for name, each in first.items()
    }
    copies = sum(len(entries[name]) for schema in schemas for name in schema["$defs"])
    assert all(each[:-1] in manifest for each in entries.values())
    return copies - sum(map(len, entries.values()))


@pytest.mark.parametrize(("tools", "definitions", "words"), [(40, 10, 500), (12, 45, 260)])
def test_the_figure_is_what_the_manifest_repeats(
    tmp_path: Path, tools: int, definitions: int, words: int
) -> None:
    texts, notes = compiled(tmp_path, document(tools, definitions, words))
    assert len(notes) == len(FILES)
    for note in notes:
        target = next(name for name in FILES if f"`{name}`" in note.message)
        figure = re.search(r"add ([\d.]+) MB", note.help)
        assert figure is not None
        assert figure[1] == f"{repeated(texts[target]) / 1e6:.1f}"
        assert f"{2 * tools * definitions:,} copies of {definitions} definitions" in note.help


def test_what_is_written_once_or_small_has_no_note(tmp_path: Path) -> None:
    assert compiled(tmp_path / "one", document(1, 2, 20_000))[1] == []
    assert compiled(tmp_path / "small", document(40, 10, 10))[1] == []


def test_the_fingerprint_stays_when_the_figures_change(tmp_path: Path) -> None:
    one = compiled(tmp_path / "one", document(40, 10, 500))[1]
    two = compiled(tmp_path / "two", document(41, 11, 600))[1]
    assert [each.help for each in one] != [each.help for each in two]
    assert [each.fingerprint for each in one] == [each.fingerprint for each in two]
    assert len({each.fingerprint for each in one}) == len(FILES)
