"""The commands that write, on a platform without `fcntl`, flags against links, and unnamed files."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

RUNNER = (sys.executable, str(Path(__file__).parent / "without_posix.py"))


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [*RUNNER, *arguments], cwd=folder, check=False, capture_output=True, text=True
    )
    assert "internal error" not in done.stdout + done.stderr
    return done


@pytest.fixture
def project(tmp_path: Path) -> Path:
    done = run(tmp_path, "init", "project")
    assert done.returncode == 0, done.stderr
    return tmp_path / "project"


def spec(project: Path) -> Path:
    (found,) = (project / "specs").glob("*.yaml")
    return found


@pytest.mark.prove
def test_a_project_is_started_compiled_and_checked(project: Path) -> None:
    first = run(project, "compile", "--no-cache")
    assert first.returncode == 0, first.stdout + first.stderr
    assert not (project / "generated" / ".toolspec").exists(), "the state of a compile is removed"
    assert run(project, "compile", "--check").returncode == 0
    text = spec(project).read_text()
    spec(project).write_text(text.replace("description: ", "description: Really. ", 1))
    assert run(project, "compile", "--check").returncode == 1
    changed = run(project, "compile")
    assert changed.returncode == 0, changed.stdout + changed.stderr
    assert run(project, "compile", "--check").returncode == 0
    assert "Really. " in (project / "generated" / "catalog.json").read_text()


@pytest.mark.prove
def test_documents_are_fixed_and_formatted(project: Path) -> None:
    text = spec(project).read_text()
    spec(project).write_text(text.replace("mutation:", "muation:", 1))
    assert run(project, "check", "--fix").returncode == 0
    assert spec(project).read_text() == text
    spec(project).write_text(text.replace("name: ", "name:    ", 1))
    assert run(project, "fmt").returncode == 0
    assert spec(project).read_text() == text
    assert run(project, "fmt", "--check").returncode == 0


@pytest.mark.prove
def test_a_link_in_the_output_is_not_followed(project: Path, tmp_path: Path) -> None:
    assert run(project, "compile").returncode == 0
    catalog, other = project / "generated" / "catalog.json", tmp_path / "other.json"
    other.write_text("untouched")
    catalog.unlink()
    catalog.symlink_to(other)
    refused = run(project, "compile", "--overwrite", "--no-cache")
    assert refused.returncode != 0
    assert other.read_text() == "untouched"
    (project / "generated" / ".toolspec").mkdir()
    catalog.unlink()
    (project / "generated" / ".toolspec" / "lock").symlink_to(tmp_path / "lock")
    assert run(project, "compile", "--no-cache").returncode != 0
    assert not (tmp_path / "lock").exists()


@pytest.mark.prove
def test_one_compile_waits_for_the_other(project: Path) -> None:
    commands = [
        subprocess.Popen(
            [*RUNNER, "compile", "--no-cache"],
            cwd=project,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for _ in range(3)
    ]
    for each in commands:
        output, _ = each.communicate(timeout=120)
        assert each.returncode == 0, output
    assert run(project, "compile", "--check").returncode == 0


@pytest.mark.prove
def test_a_killed_compile_is_finished_by_the_next(project: Path) -> None:
    command = [*RUNNER, "compile", "--no-cache"]
    for pause in (0.2, 0.5, 0.9):
        process = subprocess.Popen(command, cwd=project, stdout=subprocess.DEVNULL)
        time.sleep(pause)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        done = run(project, "compile", "--no-cache")
        assert done.returncode == 0, done.stdout + done.stderr
        assert run(project, "compile", "--check").returncode == 0
