"""Completion scripts in the shells they are for, where those are installed."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from toolspec.cli import verbs
from toolspec.cli.app import app
from typer.testing import CliRunner

VERBS = sorted(each.stem.rstrip("_") for each in Path(verbs.__path__[0]).glob("[!_]*.py"))


@pytest.fixture
def scripts(tmp_path: Path) -> Path:
    for shell in ("bash", "zsh", "fish"):
        result = CliRunner().invoke(app, ["completion", shell])
        assert result.exit_code == 0
        (tmp_path / shell).write_text(result.stdout)
    return tmp_path


def run(shell: str, *arguments: str, folder: Path) -> str:
    path = shutil.which(shell)
    if path is None:
        pytest.skip(f"{shell} is not installed")
    done = subprocess.run(
        [path, *arguments], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert done.returncode == 0
    return done.stdout


def in_bash(words: list[str], folder: Path) -> list[str]:
    quoted = " ".join(f"'{word}'" for word in words)
    script = (
        f"source ./bash; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; "
        '_toolspec; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    return run("bash", "--norc", "-c", script, folder=folder).split()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["toolspec", "comp"], ["compile", "completion"]),
        (["toolspec", "--v"], ["--version"]),
        (["toolspec", "check", "--fo"], ["--format"]),
        (
            ["toolspec", "check", "--format", ""],
            ["text", "short", "json", "github", "sarif", "junit"],
        ),
        (["toolspec", "check", "--format", "j"], ["json", "junit"]),
        (["toolspec", "handlers", "--in", ""], []),
        (["toolspec", "import", "mcp"], ["mcp-tools"]),
        (["toolspec", "explain", "shape/unknown-k"], ["shape/unknown-key"]),
        (["toolspec", "completion", ""], ["--help", "-h", "bash", "zsh", "fish"]),
        (["toolspec", "nothing", ""], []),
    ],
)
def test_bash_completes(words: list[str], expected: list[str], scripts: Path) -> None:
    assert in_bash(words, scripts) == expected


def test_bash_knows_every_verb_and_falls_back_to_files(scripts: Path) -> None:
    assert in_bash(["toolspec", ""], scripts) == [*VERBS, "--help", "--version"]
    assert "-o default" in (scripts / "bash").read_text()


def test_fish_completes(scripts: Path) -> None:
    asked = 'source ./fish; complete -C "toolspec "; complete -C "toolspec check --format "'
    seen = [
        line.partition("\t")[0]
        for line in run("fish", "-N", "-c", asked, folder=scripts).splitlines()
    ]
    assert {*VERBS, "text", "json"} <= set(seen)


def test_zsh_takes_the_script(scripts: Path) -> None:
    asked = "autoload -Uz compinit; compinit -D -u; source ./zsh; echo $_comps[toolspec]"
    assert run("zsh", "-f", "-c", asked, folder=scripts) == "_toolspec\n"


def test_every_script_names_every_verb_and_option(scripts: Path) -> None:
    for shell, dashes in (("bash", "--"), ("zsh", "--"), ("fish", "-l ")):
        text = (scripts / shell).read_text()
        for verb in VERBS:
            assert re.search(rf"\b{verb}\b", text)
        for option in ("fail-on", "apply", "to", "help"):
            assert f"{dashes}{option}" in text


def test_an_unknown_shell_is_wrong_usage() -> None:
    assert CliRunner().invoke(app, ["completion", "tcsh"]).exit_code == 2
