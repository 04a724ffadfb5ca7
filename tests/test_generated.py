"""`generated/` is what the compiler makes of `specs/`, and it satisfies the strictest readers."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

BIN = Path(sys.executable).parent


def run(*command: str, folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_is_current(repository: Path) -> None:
    run(str(BIN / "toolspec"), "compile", "--check", folder=repository)


def test_check_writes_nothing_and_shows_the_drift(repository: Path, tmp_path: Path) -> None:
    for part in ("specs", "generated", "pyproject.toml"):
        source = repository / part
        copy = shutil.copytree if source.is_dir() else shutil.copy
        copy(source, tmp_path / part)
    types = tmp_path / "generated" / "github" / "types.py"
    edited = types.read_text() + "# edited\n"
    types.write_text(edited)
    (tmp_path / "generated" / "catalog.json").unlink()
    command = [str(BIN / "toolspec"), "compile", "--check"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout
    assert "-# edited" in done.stdout
    assert "--- /dev/null\n+++ b/catalog.json" in done.stdout
    assert types.read_text() == edited
    assert not (tmp_path / "generated" / "catalog.json").exists()


@pytest.mark.parametrize(
    "command",
    [
        ["ruff", "check", "--isolated", "--no-cache", "generated"],
        ["ruff", "format", "--isolated", "--no-cache", "--check", "generated"],
        [
            "mypy",
            "--strict",
            "--warn-unreachable",
            "--config-file=",
            "--cache-dir=/dev/null",
            "generated",
        ],
        ["pyright", "--pythonpath", sys.executable, "generated"],
    ],
    ids=["ruff-check", "ruff-format", "mypy", "pyright"],
)
def test_satisfies(command: list[str], repository: Path, tmp_path: Path) -> None:
    shutil.copytree(repository / "generated", tmp_path / "generated")
    run(str(BIN / command[0]), *command[1:], folder=tmp_path)


def test_imports_only_the_runtime_and_the_standard_library(repository: Path) -> None:
    import ast

    for path in sorted((repository / "generated").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module or ""]
            for name in names:
                known = name.split(".")[:2] == ["toolspec", "runtime"] or (
                    name.split(".")[0] in sys.stdlib_module_names
                )
                assert known, f"{path}: {name}"
