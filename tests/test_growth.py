"""What a build may use as a project grows: counted, not timed, so that no busy machine fails it."""

from __future__ import annotations

import json
import sys
import tracemalloc
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from counted_calls import calls
from toolspec.driver.build import Request, build, compile_specs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

TOOLS_OF_A_SERVICE = 10


def schema(number: int) -> dict[str, object]:
    shared = {"$ref": "#/$defs/Record"}
    choice = {"type": "string", "enum": [f"a{number}", "b"], "description": f"Choice {number}."}
    rows = {"type": "array", "items": {"type": "object", "properties": {"at": shared}}}
    properties = {"count": {"type": "integer", "minimum": number}, "choice": choice, "rows": rows}
    return {"type": "object", "properties": properties, "required": ["count"]}


def project(folder: Path, tools: int) -> Path:
    """Write a project of so many tools, all different, and return its folder."""
    (folder / "specs").mkdir(parents=True)
    for first in range(0, tools, TOOLS_OF_A_SERVICE):
        document = {
            "toolspec": 1,
            "service": {"name": f"service{first}", "description": "Keeps records."},
            "$defs": {"Record": {"type": "object", "properties": {"id": {"type": "integer"}}}},
            "tools": [
                {
                    "name": f"read{number}",
                    "description": f"Read record {number}.",
                    "mutation": False,
                    "inputSchema": schema(number),
                    "outputSchema": schema(number),
                    "examples": [
                        {"title": "One", "input": {"count": number}, "output": {"count": number}}
                    ],
                }
                for number in range(first, first + TOOLS_OF_A_SERVICE)
            ],
        }
        path = folder / "specs" / f"service{first}.json"
        path.write_text(json.dumps(document), encoding="utf-8")
    return folder


def peak(work: Callable[[], object]) -> int:
    """Return the bytes that are alive at once, at most, while some work is done."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.prove
@pytest.mark.parametrize("measure", [calls, peak])
def test_ten_times_the_tools_take_ten_times_as_much(
    measure: Callable[[Callable[[], object]], int], tmp_path: Path
) -> None:
    build(Request(folder=project(tmp_path / "first", 10)))  # what is loaded once is not growth
    small = project(tmp_path / "small", 20)
    large = project(tmp_path / "large", 200)
    less, more = (measure(lambda at=at: build(Request(folder=at))) for at in (small, large))
    assert more / less < 10.5


@pytest.fixture
def opened() -> Iterator[Counter[str]]:
    """Count the opening of files by path, whichever way it is done."""
    found: Counter[str] = Counter()
    is_counting = True

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        if is_counting and event == "open":
            found[str(arguments[0])] += 1

    sys.addaudithook(hook)  # there is no way to remove one
    yield found
    is_counting = False


def test_a_source_is_opened_once(opened: Counter[str], tmp_path: Path) -> None:
    folder = project(tmp_path, 30)
    opened.clear()
    assert compile_specs(Request(folder=folder)).ok
    sources = {str(path): 1 for path in sorted((folder / "specs").iterdir())}
    assert {path: times for path, times in opened.items() if path in sources} == sources
