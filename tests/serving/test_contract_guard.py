"""`serve --contract FILE`: tools that break their contract are not served."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from sampling import sampled
from served import TOOLSPEC, http, make_project
from test_reload import await_output
from test_start_checks import start
from toolspec.changes.contract import digest
from versions import compile_project, http_server, look, make_versions, write_spec

FILE = "toolspec.contract.json"
GUARDED = ("--contract", FILE)
SPEC = """toolspec: 1
service: {name: notes, description: Keeps notes., instructions: Search first.}
tools:
  - name: search
    description: Find notes that have a word.
    inputSchema:
      type: object
      properties: {order: {description: Which notes come first., enum: [newest, best]}}
    outputSchema: {type: string, description: The notes.}
    mutation: false
"""
OTHER = """toolspec: 1
service: {name: jars, description: Keeps jars.}
tools:
  - {name: count, description: Count the jars., outputSchema: {type: integer}, mutation: false}
"""
BREAK = 'break[argument/value-removed] `order` of `notes_search` no longer has the value "best"'
RISK = "risk[prose/description-changed] the description of `notes_search` changed"


def accept(folder: Path) -> None:
    subprocess.run([*TOOLSPEC, "accept"], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    specs = tmp_path / "notes.yaml", tmp_path / "jars.yaml"
    for path, text in zip(specs, (SPEC, OTHER), strict=True):
        path.write_text(text)
    folder = make_project(tmp_path / "project", *specs)
    accept(folder)
    return folder


def edit(folder: Path, before: str, after: str) -> None:
    path = folder / "specs" / "notes.yaml"
    assert before in path.read_text()
    path.write_text(path.read_text().replace(before, after))
    compile_project(folder)


def test_tools_that_keep_their_contract_are_served(project: Path) -> None:
    for options in ((), ("--service", "jars"), ("--service", "notes")):
        served = start(project, *GUARDED, *options)
        assert (served.returncode, "contract" in served.stderr) == (0, False), served.stderr


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--transport", "http", "--port", "1"),
        pytest.param(
            ("--transport", "http", "--port", "8431", "--workers", "2"), marks=pytest.mark.prove
        ),
        pytest.param(("--reload",), marks=pytest.mark.prove),
    ],
    ids=["stdio", "http", "workers", "reload"],
)
def test_a_break_is_not_served(project: Path, options: tuple[str, ...]) -> None:
    edit(project, "newest, best", "newest")
    refused = start(project, *GUARDED, *options)
    assert refused.returncode == 2
    assert refused.stderr.count(f"  {BREAK}\n") == 1
    assert f"the tools break the contract {FILE}:" in refused.stderr
    assert "serving" not in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.mark.prove
def test_other_changes_are_logged_once(project: Path) -> None:
    edit(project, "that have a word", "with a word")
    log: list[str] = []
    with http(project, *GUARDED, "--workers", "2", log=log):
        pass
    assert log[0].count(f"contract: {RISK}") == 1


def test_each_service_and_each_era_counts(project: Path) -> None:
    manifest = project / "generated" / "notes" / "mcp.json"
    accepted = manifest.read_text("utf-8")
    manifest.write_text(accepted.replace("have a word.", "have a word.\u200b"), "utf-8")
    refused = start(project, *GUARDED)
    assert refused.returncode == 2
    line = "break[prose/hidden-characters] only invisible characters of `description` of `notes_search`"
    assert line in refused.stderr
    assert "(mcp-2026-07-28)" in refused.stderr
    manifest.write_text(accepted)
    edit(project, "Search first.", "Search last.")
    noted = start(project, *GUARDED)
    assert noted.returncode == 0
    text = 'from "notes: Search first." to "notes: Search last."'
    assert re.search(
        rf"contract: risk\[prose/instructions-changed\].*{text}", noted.stderr, re.IGNORECASE
    )
    assert "instructions" not in start(project, *GUARDED, "--service", "jars").stderr


def without_era(text: str) -> str:
    document = json.loads(text)
    facts = document["tools"]["notes_search"]["facts"]
    del facts["wire"]["mcp-2025-11-25"]
    document["tools"]["notes_search"]["digest"] = digest(facts)
    return json.dumps(document)


@pytest.mark.parametrize(
    ("change", "problem"),
    sampled(
        [
            (lambda text: text.replace("newest", "oldest"), "edited by hand: notes_search"),
            (lambda text: text.replace("Search first", "Search"), "edited by hand: notes"),
            (lambda text: f"<<<<<<< ours\n{text}", "it is not JSON"),
            (lambda _: '{"tools": []}', "it has no member `contract`"),
            (without_era, "has no definitions for mcp-2025-11-25 of notes_search"),
        ],
        2,
        rows=True,
    ),
    ids=["a tool", "a service", "conflict", "no contract", "no era"],
)
def test_a_contract_that_cannot_be_relied_on_is_refused(
    project: Path, change: Callable[[str], str], problem: str
) -> None:
    path = project / FILE
    path.write_text(change(path.read_text("utf-8")), "utf-8")
    refused = start(project, *GUARDED)
    assert refused.returncode == 2
    assert problem in refused.stderr
    assert "Traceback" not in refused.stderr
    missing = start(project, "--contract", "missing.json")
    assert missing.returncode == 2
    assert "missing.json cannot be used: No such file or directory" in missing.stderr


@pytest.mark.prove
def test_a_build_that_breaks_the_contract_is_not_served(tmp_path: Path) -> None:
    project = make_versions(tmp_path / "project")
    accept(project)
    with http_server(project, "--reload", *GUARDED) as server:
        write_spec(project, 2)
        spec = project / "specs" / "clock.yaml"
        spec.write_text(spec.read_text().replace("minimum: 0", "minimum: 0, maximum: 9"))
        compile_project(project)
        await_output(lambda: server.output, "version stays:\n", 1)
        assert (
            "break[argument/bound-tightened] `maximum` of `seconds` of `clock_look`"
            in server.output
        )
        assert [found[1:] for found in look(server.address)] == [[1, 1]]
        write_spec(project, 2)
        compile_project(project)
        await_output(lambda: server.output, "the change is served\n", 1)
        await_output(lambda: server.output, "contract: risk[argument/default-changed]", 1)
        assert [found[1:] for found in look(server.address)] == [[2, 1]]
    assert "Traceback" not in server.output
