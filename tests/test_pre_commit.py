"""The hooks that other projects use, in a real git repository with a real pre-commit."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

BIN = Path(sys.executable).parent
SPEC = """toolspec: 1
service:
  name: demo
  description: A demo service.
tools:
  - name: ping
    description: Answer a call.
    mutation: false
    outputSchema: {type: string}
"""


def run(*command: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PRE_COMMIT_HOME": str(folder.parent / "cache")}
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"):
        environment.pop(name, None)
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def hooks(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources of this checkout as a repository of hooks, committed or not."""
    folder = tmp_path_factory.mktemp("hooks") / "toolspec"
    parts = (
        "compiler",
        "schemas",
        "pyproject.toml",
        "README.md",
        "LICENSE",
        ".pre-commit-hooks.yaml",
    )
    for part in parts:
        source = repository / part
        copy = shutil.copytree if source.is_dir() else shutil.copy
        (folder / part).parent.mkdir(parents=True, exist_ok=True)
        copy(source, folder / part)
    commit(folder)
    return folder


def commit(folder: Path) -> None:
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "Begin"]):
        identity = ["-c", "user.name=A", "-c", "user.email=a@example.com"]
        done = run("git", *identity, *command, folder=folder)
        assert done.returncode == 0, done.stderr


def test_our_files_are_what_pre_commit_expects(repository: Path) -> None:
    for verb, file in (
        ("validate-config", ".pre-commit-config.yaml"),
        ("validate-manifest", ".pre-commit-hooks.yaml"),
    ):
        done = run(BIN / "pre-commit", verb, repository / file, folder=repository)
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_hook_stops_a_bad_commit_and_lets_a_good_one_pass(hooks: Path, tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / "specs").mkdir(parents=True)
    spec = project / "specs" / "demo.yaml"
    spec.write_text(SPEC.replace("mutation", "muation"))
    commit(project)
    command = [BIN / "pre-commit", "try-repo", hooks, "toolspec-check", "--all-files"]
    bad = run(*command, folder=project)
    assert bad.returncode == 1, bad.stdout + bad.stderr
    assert "did you mean `mutation`?" in bad.stdout
    spec.write_text(SPEC)
    commit(project)
    good = run(*command, folder=project)
    assert good.returncode == 0, good.stdout + good.stderr
    assert "Passed" in good.stdout
