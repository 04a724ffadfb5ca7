"""The official conformance suite against a served spec: all that concerns tools passes."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from node_programs import installed, node
from served import http, make_project

pytestmark = pytest.mark.prove

HERE = Path(__file__).parent
BASELINE = HERE / "baseline.yml"
SUITE = "@modelcontextprotocol/conformance@0.2.0-alpha.12"
OLD, NEW = "2025-11-25", "2026-07-28"
HANDLERS = ("--handlers", "test=app:Test", "--handlers", "json=app:Json")

TOOLS = {
    "tools-list", "tools-call-simple-text", "tools-call-image", "tools-call-audio",
    "tools-call-embedded-resource", "tools-call-mixed-content", "tools-call-error",
    "tools-call-with-progress", "json-schema-2020-12", "server-sse-multiple-streams",
    "dns-rebinding-protection",
}  # fmt: skip
ASKING = {
    "logging-set-level", "tools-call-with-logging", "tools-call-sampling", "tools-call-elicitation",
}  # fmt: skip
"""What servers ask of clients that shake hands, and tell them."""
WHOLE = {
    "2025-06-18": {each for each in TOOLS if each.startswith("tools-")}
    | ASKING
    | {"server-initialize", "server-session-lifecycle", "ping"},
    OLD: TOOLS
    | ASKING
    | {"elicitation-sep1034-defaults", "elicitation-sep1330-enums"}
    | {"server-initialize", "server-session-lifecycle", "ping"},
    NEW: TOOLS
    | {"server-stateless", "http-header-validation", "http-custom-header-server-validation"}
    | {
        f"input-required-result-{name}"
        for name in (
            "basic-elicitation", "basic-sampling", "basic-list-roots", "request-state",
            "multiple-input-requests", "multi-round", "missing-input-response", "result-type",
            "unsupported-methods", "tampered-state", "capability-check", "ignore-extra-params",
            "validate-input",
        )
    },
}  # fmt: skip
"""The scenarios in which everything passes, by revision: nobody can put one of them on the baseline."""


@pytest.fixture(scope="module")
def program() -> Path:
    return installed(SUITE) / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    specs = sorted((HERE / "specs").iterdir())
    folder = make_project(tmp_path_factory.mktemp("conformance") / "project", *specs)
    shutil.copy(HERE / "handlers.py", folder / "app.py")
    return folder


@pytest.fixture(scope="module")
def address(project: Path) -> Iterator[str]:
    with http(project, *HANDLERS) as found:
        yield found


@pytest.fixture(scope="module")
def several(project: Path) -> Iterator[str]:
    with http(project, *HANDLERS, "--workers", "2") as found:
        yield found


def run(program: Path, address: str, results: Path, *options: str) -> None:
    """Run the suite; it fails of what the baseline does not list, and of what it lists in vain."""
    baseline = ("--expected-failures", str(BASELINE))
    command = [node(), str(program), "server", "--url", address, *options, *baseline]
    done = subprocess.run(
        [*command, "--output-dir", str(results)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    summary = done.stdout[done.stdout.rfind("=== SUMMARY") :]
    assert done.returncode == 0, summary + done.stderr
    print(*options, *(line for line in summary.splitlines() if line.startswith("Total")))


def verdicts(results: Path) -> dict[str, list[str]]:
    """Return the status of each check of each scenario that was run."""
    found: dict[str, list[str]] = defaultdict(list)
    for file in results.glob("*/checks.json"):
        # server-<scenario>-<time>, of which the time has six parts
        scenario = file.parent.name.removeprefix("server-").rsplit("-", 6)[0]
        found[scenario] += [check["status"] for check in json.loads(file.read_text())]
    return found


@pytest.mark.parametrize("revision", [OLD, NEW])
def test_what_a_revision_requires(
    program: Path, address: str, revision: str, tmp_path: Path
) -> None:
    run(program, address, tmp_path, "--requirements", revision)


def test_as_many_scenarios_pass_as_with_the_server_of_the_sdk() -> None:
    assert [len(WHOLE[revision]) for revision in WHOLE] == [15, 20, 27]


@pytest.mark.parametrize("revision", WHOLE)
def test_the_whole_suite(program: Path, address: str, revision: str, tmp_path: Path) -> None:
    run(program, address, tmp_path, "--suite", "all", "--spec-version", revision)
    assert lacking(revision, tmp_path) == {}


@pytest.mark.parametrize("revision", WHOLE)
def test_the_whole_suite_where_several_processes_serve_as_one(
    program: Path, several: str, revision: str, tmp_path: Path
) -> None:
    run(program, several, tmp_path, "--suite", "all", "--spec-version", revision)
    assert lacking(revision, tmp_path) == {}


def lacking(revision: str, results: Path) -> dict[str, list[str]]:
    """Return the scenarios that should have passed whole, and did not or were not run."""
    found = verdicts(results)
    return {
        name: found[name]
        for name in WHOLE[revision]
        if not found[name] or {"FAILURE", "WARNING"} & set(found[name])
    }
