"""Random edits of a project: after each, a compile ends where a cold one in a fresh folder ends.

The cold compile runs in this process, without a cache, and into an empty folder. Its files are
compared byte for byte, its diagnostics field by field.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from project_edits import EDITS, files, make
from sampling import sampled
from toolspec.diagnostics import Checked
from toolspec.driver import build
from toolspec.driver.build import Build, CompileOptions, Request
from toolspec.driver.lint.baseline import NAME
from toolspec.driver.workers import Workers
from toolspec.rules import installed
from toolspec.targets import discovery

PLUGIN = Path(__file__).parent.parent / "downstream" / "plugin"

OPTIONS = {
    "cached": CompileOptions(Workers(1)),
    "uncached": CompileOptions(Workers(1), is_cached=False),
    # Its keys have the folder of the project, so that one memory serves all.
    "in memory": CompileOptions(Workers(1), memory={}),
    "cached, two processes": CompileOptions(Workers(2)),
    "two processes": CompileOptions(Workers(2), is_cached=False),
    "cached, executor": CompileOptions(Workers(engine=lambda: ThreadPoolExecutor(1))),
}


@pytest.fixture(scope="module", autouse=True)
def plugin() -> Iterator[None]:
    """Install the target and the rule of another distribution."""
    caches = (discovery._installed, installed._points, installed.family)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(PLUGIN)
        for each in caches:
            each.cache_clear()
        yield
    for each in caches:
        each.cache_clear()


def cold(folder: Path) -> tuple[dict[str, bytes], Checked[Build]]:
    """Return the files and the result of a compile of the same documents in a fresh folder."""
    fresh = folder.parent / "fresh"
    shutil.rmtree(fresh, ignore_errors=True)
    shutil.copytree(folder / "specs", fresh / "specs")
    for name in ("toolspec.toml", NAME):
        if (folder / name).exists():
            shutil.copy(folder / name, fresh / name)
    checked = build.compile_specs(Request(folder=fresh))
    return files(fresh / "generated"), checked


def follow(steps: Sequence[tuple[str, str]], *, starts_with_an_edit: bool = False) -> None:
    """Edit and compile step by step; compare each step with a cold compile."""
    with TemporaryDirectory() as location:
        folder = make(Path(location) / "project")
        request = Request(folder=folder, prune=True)
        if not starts_with_an_edit:
            build.compile_specs(request, options=OPTIONS["cached"])
        for edit, options in steps:
            EDITS[edit](folder)
            before = files(folder / "generated")
            compiled = build.compile_specs(request, options=OPTIONS[options])
            generated, expected = cold(folder)
            assert compiled.diagnostics == expected.diagnostics, edit
            assert compiled.value.summaries == expected.value.summaries, edit
            assert files(folder / "generated") == (generated if expected.ok else before), edit
            compared = build.build(request)
            assert compared.diagnostics == expected.diagnostics, edit
            assert not any(each.is_needed for each in compared.value.changes), edit
            assert build.check(request).diagnostics == expected.diagnostics, edit


STEPS = st.tuples(st.sampled_from(sorted(EDITS)), st.sampled_from(sorted(OPTIONS)))


@pytest.mark.prove
@settings(derandomize=True, max_examples=12, deadline=None)
@given(st.lists(STEPS, min_size=3, max_size=8))
def test_edits_one_by_one_end_where_a_cold_compile_does(steps: list[tuple[str, str]]) -> None:
    follow(steps)


@pytest.mark.prove
@settings(derandomize=True, max_examples=5, deadline=None)
@given(st.lists(STEPS, min_size=200, max_size=200))
def test_two_hundred_edits_end_where_a_cold_compile_does(steps: list[tuple[str, str]]) -> None:
    follow(steps)


HISTORIES = {
    "one error in one of several services": (
        *("a warning", "a note", "an error", "another description", "mended too", "as it was"),
    ),
    "errors in two services": ("an error", "no YAML", "mended", "a warning", "mended too"),
    "names that collide across services": (
        *("a service of the same name", "an error", "mended too", "the same in capitals"),
        *("an alias that is the name of a tool elsewhere", "no twin", "an alias"),
        *("an alias that is one elsewhere", "a warning", "mended", "an alias"),
    ),
    "names that split in two ways": (
        *("a separator that is in names", "the other way to split it"),
        *("a name that splits in two ways", "an error", "no twin", "mended too", "as it was"),
    ),
    "a part of two services with an error": (
        *("a part", "includes", "also includes", "a part with an error", "a warning"),
        *("also includes", "a part with a misspelt keyword", "a part that is no YAML", "a part"),
        *("a part with a note", "a part with an allowed note", "a part that allows for nothing"),
        *("an error", "a part with an error", "also includes", "a part"),
    ),
    "a part that no service includes": (
        *("a part", "includes", "another part", "as it was", "also includes", "mended too"),
        *("no part", "a slip", "no other part", "mended"),
    ),
    "a definition that another service uses": (
        *("definitions", "a use of a definition elsewhere", "an error", "as it was"),
        *("a use of a definition elsewhere", "definitions", "no YAML", "mended"),
    ),
    "a target and a rule of another distribution": (
        *("a target and a rule of another distribution", "a warning", "an error"),
        *("another description", "mended too", "a missing file", "rules weighed"),
        *("a target and a rule of another distribution", "a part", "includes", "also includes"),
    ),
    "suppressions and a baseline": (
        *("an allowed note", "allowed for nothing", "a line", "a note allowed too long"),
        *("rules weighed", "a note", "no line", "an error", "as it was", "rules as they are"),
    ),
}


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(("cached",), id="cached", marks=pytest.mark.prove),
        pytest.param(tuple(OPTIONS), id="every way"),
    ],
)
@pytest.mark.parametrize("history", sampled(HISTORIES, 2))
def test_a_history_ends_where_a_cold_compile_does(history: str, options: tuple[str, ...]) -> None:
    follow(list(zip(HISTORIES[history], cycle(options), strict=False)))


@pytest.mark.parametrize(
    "options", sampled([("cached",), tuple(OPTIONS)], 1), ids=["cached", "every way"]
)
def test_a_history_that_begins_with_an_error_ends_there_too(options: tuple[str, ...]) -> None:
    steps = ("an error", "a warning", "no YAML", "mended too", "an error", "mended", "mended too")
    follow(list(zip(steps, cycle(options), strict=False)), starts_with_an_edit=True)
