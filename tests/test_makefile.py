"""`make` finds a Python that is recent enough, or says what is missing."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TOOLS = ("sh", "touch", "mkdir", "cp", "dirname")
# Answers as a Python does that is older (`exit 1`) or not, and has `venv` or not; logs everything else.
STUB = """#!/bin/sh
case "$2" in
*version_info*) exit {is_old} ;;
*ensurepip*) exit {lacks_venv} ;;
esac
if [ "$1 $2" = "-m venv" ]; then mkdir -p "$3/bin" && cp "$0" "$3/bin/python"; fi
echo "${{0##*/}} $*" >> log
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / ".ci").mkdir()
    (tmp_path / "bin").mkdir()
    (tmp_path / "compiler").mkdir()
    for name in ("Makefile", "pyproject.toml", "compiler/pyproject.toml", ".ci/constraints.txt"):
        shutil.copy(ROOT / name, tmp_path / name)
    for name in TOOLS:
        tool = shutil.which(name)
        assert tool is not None
        (tmp_path / "bin" / name).symlink_to(tool)
    return tmp_path


def put(checkout: Path, name: str, *, is_old: bool = False, lacks_venv: bool = False) -> None:
    """Put a Python on the path of a checkout."""
    stub = checkout / "bin" / name
    stub.write_text(STUB.format(is_old=int(is_old), lacks_venv=int(lacks_venv)))
    stub.chmod(0o755)


def make(checkout: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = shutil.which("make")
    if command is None:
        pytest.skip("make is not installed")
    return subprocess.run(
        [command, *words, ".venv/installed"],
        cwd=checkout,
        env={"PATH": str(checkout / "bin")},
        capture_output=True,
        text=True,
        check=False,
    )


def used(checkout: Path) -> str:
    """Return the name of the Python that made the environment."""
    return (checkout / "log").read_text().split()[0]


def test_python3_is_used_first(checkout: Path) -> None:
    for name in ("python", "python3", "python3.14"):
        put(checkout, name)
    assert make(checkout).returncode == 0
    assert used(checkout) == "python3"


@pytest.mark.parametrize("name", ["python3.14", "python3.13", "python3.12", "python3.11", "python"])
def test_any_other_that_is_recent_does(checkout: Path, name: str) -> None:
    put(checkout, "python3", is_old=True)
    put(checkout, "python3.9", is_old=True)
    put(checkout, name)
    assert make(checkout).returncode == 0
    assert used(checkout) == name


def test_without_python3_another_does(checkout: Path) -> None:
    put(checkout, "python3.13")
    assert make(checkout).returncode == 0
    assert used(checkout) == "python3.13"


def test_no_recent_python_is_reported(checkout: Path) -> None:
    put(checkout, "python3", is_old=True)
    done = make(checkout)
    assert done.returncode != 0
    assert "toolspec needs Python 3.11 or later, and none is on the PATH" in done.stderr
    assert not (checkout / ".venv").exists()


def test_an_old_python_that_is_named_is_reported(checkout: Path) -> None:
    put(checkout, "python3")
    put(checkout, "python3.9", is_old=True)
    done = make(checkout, "PYTHON=python3.9")
    assert done.returncode != 0
    assert "toolspec needs Python 3.11 or later: python3.9 is older" in done.stderr


def test_a_python_that_is_named_and_not_there_is_reported(checkout: Path) -> None:
    done = make(checkout, "PYTHON=python9")
    assert done.returncode != 0
    assert "python9: not found" in done.stderr


def test_a_python_without_venv_is_reported(checkout: Path) -> None:
    put(checkout, "python3", lacks_venv=True)
    done = make(checkout)
    assert done.returncode != 0
    assert "install its venv package" in done.stderr
    assert not (checkout / ".venv").exists()
