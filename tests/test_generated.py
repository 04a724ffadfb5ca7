"""`generated/` is what the compiler makes of `specs/`, and it satisfies the strictest readers."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from checkers import mypy
from forkserver import toolspec

BIN = Path(sys.executable).parent


def run(*command: str, folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_is_current(repository: Path) -> None:
    run(str(toolspec()), "compile", "--check", folder=repository)


def test_check_writes_nothing_and_shows_the_drift(repository: Path, tmp_path: Path) -> None:
    for part in ("specs", "generated", "pyproject.toml"):
        source = repository / part
        copy = shutil.copytree if source.is_dir() else shutil.copy
        copy(source, tmp_path / part)
    types = tmp_path / "generated" / "github" / "types.py"
    edited = types.read_text() + "# edited\n"
    types.write_text(edited)
    (tmp_path / "generated" / "catalog.json").unlink()
    command = [str(toolspec()), "compile", "--check"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout
    assert "-# edited" in done.stdout
    assert "--- /dev/null\n+++ b/catalog.json" in done.stdout
    assert types.read_text() == edited
    assert not (tmp_path / "generated" / "catalog.json").exists()


CHECKERS = {
    "mypy": (*mypy("--config-file="), "generated"),
    "pyright": ("pyright", "--pythonpath", sys.executable, "generated"),
}
COMMANDS = {
    "ruff-check": ("ruff", "check", "--isolated", "--no-cache", "generated"),
    "ruff-format": ("ruff", "format", "--isolated", "--no-cache", "--check", "generated"),
    **CHECKERS,
}


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(command, id=name, marks=pytest.mark.prove if name == "pyright" else ())
        for name, command in COMMANDS.items()
    ],
)
def test_satisfies(command: tuple[str, ...], repository: Path, tmp_path: Path) -> None:
    shutil.copytree(repository / "generated", tmp_path / "generated")
    run(str(BIN / command[0]), *command[1:], folder=tmp_path)


@pytest.mark.prove
@pytest.mark.parametrize("command", CHECKERS.values(), ids=CHECKERS)
def test_what_stubs_stand_in_front_of_satisfies_too(
    command: tuple[str, ...], repository: Path, tmp_path: Path
) -> None:
    ignored = shutil.ignore_patterns("*.pyi")
    shutil.copytree(repository / "generated", tmp_path / "generated", ignore=ignored)
    run(str(BIN / command[0]), *command[1:], folder=tmp_path)


def test_stubs_declare_the_function_that_is_there(repository: Path) -> None:
    stubs = sorted((repository / "generated").glob("*/__init__.pyi"))
    assert stubs
    for stub in stubs:
        declared, written = (_bind(path) for path in (stub, stub.with_suffix(".py")))
        assert ast.dump(declared.args) == ast.dump(written.args)


def test_docs_give_to_the_function_what_it_takes(repository: Path) -> None:
    for stub in sorted((repository / "generated").glob("*/__init__.pyi")):
        takes = [each.arg for each in _bind(stub).args.kwonlyargs]
        assert takes[-3:] == ["output_check", "log", "mode"], "which every service takes"
        pages = repository / "generated" / "docs"
        [page] = [each for each in pages.glob("*.md") if each.stem == stub.parent.name]
        [shown] = re.findall(r"Client\(bind\((.*)\)\)`", page.read_text(encoding="utf-8"))
        assert shown == ", ".join(["handlers", *(f"{each}={each}" for each in takes[:-3])])


def _bind(path: Path) -> ast.FunctionDef:
    body = ast.parse(path.read_text(encoding="utf-8")).body
    [found] = [each for each in body if isinstance(each, ast.FunctionDef) and each.name == "bind"]
    return found


def test_imports_only_the_runtime_and_the_standard_library(repository: Path) -> None:
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


PROVIDERS = """
from generated.github import GithubStubs, bind
from generated.github.types import GithubCredentials
from generated.slack import SlackStubs
from generated.slack import bind as bind_slack
from generated.slack.types import SlackCredentialsGiven, SlackInstance


def of_caller(caller: str | None) -> GithubCredentials | None:
    return {"access_token": caller} if caller else None


async def of_caller_later(caller: str | None) -> GithubCredentials | None:
    return of_caller(caller)


def of_instance(caller: str | None, instance: SlackInstance) -> SlackCredentialsGiven | None:
    return None


bind(GithubStubs(), credentials=of_caller)
bind(GithubStubs(), credentials=of_caller_later)
bind_slack(SlackStubs(), credentials=of_instance)
"""


def test_a_function_of_credentials_may_return_none(repository: Path, tmp_path: Path) -> None:
    shutil.copytree(repository / "generated", tmp_path / "generated")
    (tmp_path / "providers.py").write_text(PROVIDERS)
    run(*mypy("--config-file="), "providers.py", folder=tmp_path)
