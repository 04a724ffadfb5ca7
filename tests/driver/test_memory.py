"""What a compile holds in memory: one service at a time, and of the others notes only."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from sampling import sampled
from toolspec.driver.build import CompileOptions, Request, build, check, compile_specs
from toolspec.driver.workers import Workers
from toolspec.targets import discovery
from toolspec.targets.target import EmitContext

SERVICE = """toolspec: 1
service: {{name: service{number}, description: Keeps records.}}
$defs:
  Record: {{type: object, properties: {{text: {{type: string, description: {text}}}}}}}
tools:
"""
TOOL = """  - name: read{number}
    description: {text}
    mutation: false
    examples: [{{title: One, input: {{}}, output: {{}}}}]
    inputSchema:
      type: object
      properties:
        first: {{type: string, description: {text}}}
        second: {{type: array, items: {{enum: [-1, 20]}}, description: {text}}}
        record: {{$ref: "#/$defs/Record"}}
        third: {{type: string, enum: ['"a', "a\\\\b'\\""], default: '"a', description: {text}}}
    outputSchema: {{type: object, properties: {{answer: {{type: string, description: {text}}}}}}}
"""
TOOLS = 20
TEXT = "A text that says it in words. " * 8


def project(folder: Path, services: int, preset: str) -> Path:
    (folder / "specs").mkdir(parents=True)
    (folder / "toolspec.toml").write_text(f'[lint]\npreset = "{preset}-2026-11"\n')
    for number in range(services):
        tools = (TOOL.format(number=each, text=TEXT) for each in range(TOOLS))
        text = SERVICE.format(number=number, text=TEXT) + "".join(tools)
        (folder / "specs" / f"{number}.yaml").write_text(text)
    return folder


# In a process of its own: what else a test process holds would be counted with it.
MEASURED = """
import gc, sys, tracemalloc
from pathlib import Path
from toolspec.driver import build
from toolspec.driver.build import Request
from toolspec.driver.build import CompileOptions
from toolspec.driver.workers import Workers

link = build.link
def counted(*arguments):
    print(tracemalloc.get_traced_memory()[0])
    return link(*arguments)

build.link = counted
gc.disable()  # as good as the compiler's own threshold: nothing may wait for a collection
for folder in sys.argv[1:]:
    tracemalloc.start()
    checked = build.compile_specs(Request(folder=Path(folder)), options=CompileOptions(Workers(1), is_cached=False))
    tracemalloc.stop()
    assert checked.ok
"""


@pytest.mark.prove
@pytest.mark.parametrize("preset", ["core", "recommended"])
def test_more_services_are_not_more_in_memory(tmp_path: Path, preset: str) -> None:
    """Of a finished service remain compressed rows and facts, no part of its document.

    The tools are all alike, which is why `recommended` has a warning about each service.
    """
    # The first loads what is loaded once, the second fills what is kept up to a limit.
    folders = [project(tmp_path / str(services), services, preset) for services in (2, 20, 70)]
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, *folders], capture_output=True, text=True, check=True
    )
    held = [int(each) for each in done.stdout.split()]
    assert (held[2] - held[1]) / (50 * TOOLS) < 1_200


BYTES_OF_A_TOOL = {"catalog": 2_700}
"""The most that a note has for each tool; the catalog consists of its notes."""


@pytest.mark.parametrize("name", sampled(discovery.names(), 2))
def test_notes_on_services_hold_no_pages(name: str, repository: Path) -> None:
    """The notes of all services are in memory at once, and are read for every edit of one of them."""
    target = discovery.find(name)
    assert target is not None
    for service in check(Request(folder=repository)).value.program.services:
        note = target.emit_service(service, EmitContext()).note
        assert len(json.dumps(note)) <= BYTES_OF_A_TOOL.get(name, 700) * len(service.tools)


def test_files_of_services_are_joined_one_by_one(tmp_path: Path) -> None:
    """Whether they are new, on the disk already, or only compared with it."""
    folder = project(tmp_path, 3, "core")
    cached = CompileOptions(Workers(1))

    def joined() -> str:
        docs = folder / "generated" / "docs"
        pages = (docs / f"service{number}.md" for number in range(3))
        return "".join(("# Tools\n", *("\n" + page.read_text() for page in pages)))

    full = folder / "generated" / "docs" / "llms-full.txt"
    assert compile_specs(Request(folder=folder), options=cached).ok
    assert full.read_text() == joined()
    edited = folder / "specs" / "1.yaml"
    edited.write_text(edited.read_text().replace("Keeps records.", "Keeps other records."))
    assert compile_specs(Request(folder=folder), options=cached).ok
    assert "Keeps other records." in full.read_text()
    assert full.read_text() == joined()
    full.unlink()
    built = build(Request(folder=folder)).value.changes
    (missing,) = (change for change in built if change.is_needed)
    assert missing.path == "docs/llms-full.txt"
    assert missing.content is not None
    assert missing.content.read().decode() == joined()
