"""Runs tests/cases/check: each folder is a project, `expected.txt` the whole text its user sees.

A case's `command` file holds the arguments when they are not plain `check`; the last line of the
expected text is the exit status. `--accept` rewrites the expected texts.
"""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path

import pytest
from toolspec.cli.app import app
from typer.testing import CliRunner

CASES = Path(__file__).parent / "cases" / "check"


def cases() -> list[Path]:
    return sorted(path for path in CASES.iterdir() if path.is_dir())


@pytest.mark.parametrize("case", cases(), ids=lambda path: path.name)
def test_case(case: Path, accept: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = case / "command"
    arguments = shlex.split(command.read_text()) if command.exists() else ["check"]
    # A copy outside the repository, so that its configuration is not found above the case.
    project = tmp_path / "project"
    shutil.copytree(case, project, ignore=shutil.ignore_patterns("expected.txt", "command"))
    monkeypatch.chdir(project)
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    result = CliRunner().invoke(app, arguments)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    # A diagnostic names the Python that runs; every version has the same expected text.
    running = f"Python {sys.version_info.major}.{sys.version_info.minor} "
    output = result.output.replace(running, "Python 3.11 ")
    seen = f"{output}exit {result.exit_code}\n"
    expected = case / "expected.txt"
    if accept:
        expected.write_text(seen)
    assert seen == expected.read_text()


def test_there_are_enough_cases() -> None:
    assert len(cases()) >= 80
