"""A project of somebody who uses everything: documents, code, configuration, a baseline, a lock, a store.

`project/` was written against version 0.1.0, its `generated/` is what that version wrote, and
`store.sql` what a program left. A later version has to work with all of it as it is: an edit to these
files breaks users, and is a line of the changelog that says why.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from checkers import mypy
from served import LEGACY, MODERN, TOOLSPEC, connected, stdio

HERE = Path(__file__).parent
PROGRAM = "shop_app.program"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the project, compiled by this version over what an earlier one generated."""
    folder = tmp_path_factory.mktemp("downstream") / "project"
    shutil.copytree(HERE / "project", folder)
    status, text = run(folder, "compile")
    assert status == 0, text
    return folder


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(HERE / "plugin"), "COLUMNS": "100"}


def run(folder: Path, *arguments: str) -> tuple[int, str]:
    done = subprocess.run(
        [*TOOLSPEC, *arguments],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_what_an_earlier_version_generated_is_replaced_and_nothing_is_left_of_it(
    project: Path, tmp_path: Path
) -> None:
    assert run(project, "compile", "--check")[0] == 0
    fresh = tmp_path / "project"
    shutil.copytree(HERE / "project", fresh, ignore=shutil.ignore_patterns("generated"))
    assert run(fresh, "compile")[0] == 0
    assert files(project / "generated") == files(fresh / "generated")


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_the_baseline_and_the_suppressions_still_hold(project: Path) -> None:
    status, text = run(project, "check", "--fail-on", "note", "--format", "json")
    report = json.loads(text)
    assert status == 0
    sources = [each["suppression"]["source"] for each in report["diagnostics"]]
    recorded = json.loads((project / "toolspec.baseline.json").read_text())
    assert sources.count("baseline") == len(recorded["diagnostics"])
    assert sorted(sources) == ["baseline"] * 16 + ["comment", "configuration"]


def test_the_rule_and_the_target_of_another_distribution_run(project: Path) -> None:
    rows = (project / "generated/shop/tools.csv").read_text().splitlines()
    assert rows[:2] == ["name,mutation", "shop_findOrder,False"]
    assert "The word says nothing to a reader." in run(project, "explain", "acme/no-word")[1]
    spec = project / "specs" / "shop.yaml"
    text = spec.read_text()
    spec.write_text(text.replace("Find one order", "Find one good order"))
    try:
        status, report = run(project, "check", "--fail-on", "warning", "--format", "short")
    finally:
        spec.write_text(text)
    assert status == 1
    assert "acme/no-word" in report


def test_the_handlers_are_those_that_the_specs_ask_for(project: Path) -> None:
    status, text = run(project, "handlers")
    assert status == 0, text


@pytest.mark.parametrize(
    "arguments", [["inspect", "shop_placeOrder@2.0.0"], ["rules"], ["fmt", "--check"]]
)
def test_other_verbs_accept_the_project(project: Path, arguments: list[str]) -> None:
    status, text = run(project, *arguments)
    assert status == 0, text


def test_the_program_does_what_it_did(project: Path) -> None:
    """Keys and journal of an earlier run hold: one key has ended, the other's process was killed."""
    database = project / "store.sqlite3"
    with sqlite3.connect(database) as connection:
        connection.executescript((HERE / "store.sql").read_text())
        now = time.time()
        connection.execute("UPDATE keys SET leased = ?, expires = ?", (now - 3600, now + 3600))
        connection.execute("UPDATE entries SET expires = ?", (now + 3600,))
    connection.close()
    done = subprocess.run(
        [sys.executable, "-m", PROGRAM, str(database)],
        cwd=project,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    expected = (HERE / "expected.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in done.stdout.splitlines()] == list(
        map(json.loads, expected)
    )


def test_its_types_hold(project: Path) -> None:
    done = subprocess.run(
        [*mypy(), "shop_app"],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("mode", [LEGACY, MODERN])
def test_a_server_of_it_answers(project: Path, mode: str) -> None:
    settings = project / "settings.toml"
    settings.write_text('[shop]\ntoken = "secret"\n')
    options = ("--settings", str(settings), "--approve", "auto")
    with connected(stdio(project, *options, PYTHONPATH=str(HERE / "plugin")), mode) as server:
        tools = server.portal.call(server.client.list_tools).tools
        assert {"shop_findOrder", "customers.add"} <= {tool.name for tool in tools}
        answer = server.call("shop_findOrder", {"id": "o1"})
        assert answer.structured_content["id"] == "o1"
