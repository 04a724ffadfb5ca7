"""The built wheel in an environment of its own, in a folder that has only `specs/` and a configuration."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest


def run(*command: str | Path, folder: Path, environment: dict[str, str] | None = None) -> str:
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.prove
def test_wheel_compiles_without_the_repository(repository: Path, tmp_path: Path) -> None:
    dist = tmp_path / "dist"
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", dist]
    run(*build, repository, folder=tmp_path)
    (wheel,) = dist.glob("*.whl")
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", wheel, folder=tmp_path)

    explain = ("-m", "toolspec", "explain", "naming/bare-id")
    page = run(python, *explain, folder=tmp_path)
    assert "Example:" in page
    zipped = {**os.environ, "PYTHONPATH": str(wheel)}
    assert run(sys.executable, *explain, folder=tmp_path, environment=zipped) == page

    project = tmp_path / "project"
    shutil.copytree(repository / "specs", project / "specs")
    shutil.copy(repository / "pyproject.toml", project)
    summary = run(tmp_path / "venv" / "bin" / "toolspec", "compile", folder=project)
    assert "6 services" in summary
    names = "import generated, toolspec; print(toolspec.__file__); import generated.github"
    assert str(tmp_path / "venv") in run(python, "-c", names, folder=project)
    ours, theirs = repository / "generated", project / "generated"
    for path in ours.rglob("*.json"):
        assert (theirs / path.relative_to(ours)).read_bytes() == path.read_bytes()

    toolspec, empty = tmp_path / "venv" / "bin" / "toolspec", tmp_path / "empty"
    empty.mkdir()
    run(toolspec, "init", "demo", folder=empty)
    run(toolspec, "compile", folder=empty / "demo")
    run(python, "-m", "unittest", folder=empty / "demo")
    assert "clean" in run(toolspec, "handlers", folder=empty / "demo")
