"""What a compile holds in memory: one service at a time, and of the others notes only."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SERVICE = """toolspec: 1
service: {{name: service{number}, description: Keeps records.}}
tools:
"""
TOOL = """  - name: read{number}
    description: {text}
    mutation: false
    inputSchema:
      type: object
      properties:
        first: {{type: string, description: {text}}}
        second: {{type: array, items: {{enum: [-1, 20]}}, description: {text}}}
        third: {{type: string, enum: ['"a', "a\\\\b'\\""], default: '"a', description: {text}}}
    outputSchema: {{type: object, properties: {{answer: {{type: string, description: {text}}}}}}}
"""
TEXT = "A text that says it in words. " * 8


def project(folder: Path, services: int, preset: str) -> Path:
    (folder / "specs").mkdir(parents=True)
    (folder / "toolspec.toml").write_text(f'[lint]\npreset = "{preset}-2026-11"\n')
    for number in range(services):
        tools = (TOOL.format(number=each, text=TEXT) for each in range(5))
        text = SERVICE.format(number=number) + "".join(tools)
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
    """Of a finished service remain its rows in shared files and its facts, not its texts.

    The tools are all alike, which is why `recommended` has a warning about each service.
    """
    # The first loads what is loaded once, the second fills what is kept up to a limit.
    folders = [project(tmp_path / str(services), services, preset) for services in (2, 60, 100)]
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, *folders], capture_output=True, text=True, check=True
    )
    held = [int(each) for each in done.stdout.split()]
    tools = 40 * 5
    assert (held[2] - held[1]) / tools < 6_400
