"""What a compile holds in memory: one service at a time, and of the others notes only."""

from __future__ import annotations

import gc
import tracemalloc
from pathlib import Path

import pytest
from toolspec.driver import incremental
from toolspec.driver.build import Request
from toolspec.driver.incremental import Ways
from toolspec.driver.workers import Workers

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
        second: {{type: array, items: {{type: integer}}, description: {text}}}
    outputSchema: {{type: object, properties: {{answer: {{type: string, description: {text}}}}}}}
"""
TEXT = "A text that says it in words. " * 8


def project(folder: Path, services: int) -> Path:
    (folder / "specs").mkdir(parents=True)
    for number in range(services):
        tools = (TOOL.format(number=each, text=TEXT) for each in range(5))
        text = SERVICE.format(number=number) + "".join(tools)
        (folder / "specs" / f"{number}.yaml").write_text(text)
    return folder


def test_more_services_are_not_more_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a service whose turn is over stay its rows in shared files and its names, not its files."""
    link = incremental._link
    held: list[int] = []

    def counted(*arguments: object) -> object:
        gc.collect()
        held.append(tracemalloc.get_traced_memory()[0])
        return link(*arguments)  # type: ignore[arg-type] # as it was called

    monkeypatch.setattr(incremental, "_link", counted)
    made = []
    for services in (2, 4, 40):  # the first loads what is loaded once
        folder = project(tmp_path / str(services), services)
        tracemalloc.start()
        checked = incremental.compile_specs(
            Request(folder=folder), Ways(Workers(1), is_cached=False)
        )
        tracemalloc.stop()
        assert not checked.diagnostics, checked.diagnostics[0]
        made.append(sum(each.stat().st_size for each in (folder / "generated").rglob("*")))
    assert held[2] - held[1] < (made[2] - made[1]) / 2
