"""The services of `specs/` and of the example are clean at the strict preset, and every exception says why."""

from __future__ import annotations

import json
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
from forkserver import toolspec
from toolspec.rules import presets

TOOLSPEC = toolspec()
FOLDERS = (".", "examples/notes")


def configuration(folder: Path) -> dict[str, Any]:
    own = folder / "toolspec.toml"
    if own.exists():
        return tomllib.loads(own.read_text())
    found: dict[str, Any] = tomllib.loads((folder / "pyproject.toml").read_text())
    return found["tool"]["toolspec"]


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_rule_of_the_newest_strict_preset_is_on(repository: Path, folder: str) -> None:
    lint = configuration(repository / folder)["lint"]
    assert lint["preset"] == max(name for name in presets.NAMES if name.startswith("strict-"))
    assert lint.keys() <= {"preset", "allow"}, "what is off is not clean"


@pytest.mark.parametrize("folder", FOLDERS)
def test_nothing_is_found_that_nobody_answers_for(repository: Path, folder: str) -> None:
    done = subprocess.run(
        [TOOLSPEC, "check", "--fail-on", "note", "--format", "json"],
        cwd=repository / folder,
        capture_output=True,
        text=True,
        check=False,
    )
    found = json.loads(done.stdout)["diagnostics"]
    assert done.returncode == 0, [each for each in found if not each["suppression"]]
    for each in found:
        reason = each["suppression"]["reason"]
        assert len(reason.split()) > 3, (each["code"], reason)


@pytest.mark.parametrize("folder", FOLDERS)
def test_documents_are_in_form(repository: Path, folder: str) -> None:
    subprocess.run([TOOLSPEC, "fmt", "--check"], cwd=repository / folder, check=True)
