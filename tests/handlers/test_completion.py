"""Completion scripts in the shells they are for, where those are installed."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from forkserver import toolspec
from toolspec.cli import verbs
from toolspec.cli.app import app
from typer.testing import CliRunner

if TYPE_CHECKING:
    from collections.abc import Callable
from functools import cache

TOOLSPEC = toolspec()
VERBS = sorted(each.stem.rstrip("_") for each in Path(verbs.__path__[0]).glob("[!_]*.py"))


@cache
def script(shell: str) -> str:
    result = CliRunner().invoke(app, ["completion", shell])
    assert result.exit_code == 0
    return result.stdout


def with_scripts(folder: Path) -> Path:
    for shell in ("bash", "zsh", "fish"):
        (folder / shell).write_text(script(shell))
    return folder


@pytest.fixture
def scripts(tmp_path: Path) -> Path:
    return with_scripts(tmp_path)


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


def in_bash(words: list[str], folder: Path, scripts: Path | None = None) -> list[str]:
    quoted = " ".join(f"'{word}'" for word in words)
    script = (
        f"source {scripts or folder}/bash; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; "
        '_toolspec; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    return run("bash", "--norc", "-c", script, folder=folder).split()


# Completes in a terminal, and writes what could follow to the file `words`, then a line `end`.
ZSH = r"""
autoload -Uz compinit; compinit -D -u; source ./zsh
complete_words() {
    compadd() {
        local -a could; local word
        for word in "$@"; do
            case $word in
                -|--) break ;;
                -[ADO]) builtin compadd "$@"; return ;;
            esac
        done
        builtin compadd -A could "$@"; print -rl -- $could >> words
        builtin compadd "$@"
    }
    _main_complete; print end >> words
}
zle -C complete_words complete-word complete_words; bindkey '^I' complete_words
print rea''dy
"""

QUIET_SECONDS = 60
"""After how long without a word a shell has failed: far longer than it ever takes."""


def in_zsh(words: list[str], folder: Path) -> list[str]:
    path = shutil.which("zsh") or pytest.skip("zsh is not installed")
    (folder / "setup").write_text(ZSH)
    answer = folder / "words"
    answer.write_text("")
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(folder)
        os.execl(path, "zsh", "-f", "-i")  # noqa: S606 - the shell is what is tested
    shown = b""

    def read_until(is_done: Callable[[], bool]) -> None:
        nonlocal shown
        quiet = 0
        while not is_done():
            quiet = 0 if select.select([terminal], [], [], 1)[0] else quiet + 1
            assert quiet < QUIET_SECONDS, shown.decode()
            shown += os.read(terminal, 4096) if not quiet else b""

    try:
        os.write(terminal, b"source ./setup\n")
        read_until(lambda: b"ready" in shown)
        os.write(terminal, " ".join(words).encode() + b"\t")
        read_until(lambda: answer.read_text().endswith("end\n"))
    finally:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        os.close(terminal)
    return sorted(word for word in answer.read_text().split()[:-1] if word)


def in_fish(words: list[str], folder: Path) -> list[str]:
    text = " ".join(words)
    asked = f"source ./fish; complete -C '{text}'"
    lines = run("fish", "-N", "-c", asked, folder=folder).splitlines()
    return sorted(line.partition("\t")[0] for line in lines)


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
        (["toolspec", "import", "mcp-"], ["mcp-tools"]),
        (["toolspec", "explain", "shape/unknown-k"], ["shape/unknown-key"]),
        (["toolspec", "completion", ""], ["--help", "-h", "bash", "zsh", "fish"]),
        (["toolspec", "nothing", ""], []),
    ],
)
def test_bash_completes(words: list[str], expected: list[str], scripts: Path) -> None:
    assert in_bash(words, scripts) == expected


NOTES = """toolspec: 1
service:
  # Kept by hand.
  name: notes
  description: Keeps notes.
tools:
  - name: list
    description: List all notes.
    mutation: false
    outputSchema: {type: string}
    aliases: [old.list]
"""
MEMOS = """{"toolspec": 1, "service": {"name": "memos", "description": "Keeps memos.",
  "names": "as-written"}, "tools": [{"name": "memo.create", "description": "Write a memo.",
  "mutation": true, "outputSchema": {"type": "string"}}]}
"""


@pytest.fixture(params=["with a catalogue", "without"], scope="module")
def project(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a compiled project beside the scripts, with its commands on the path."""
    scripts = with_scripts(tmp_path_factory.mktemp("project"))
    targets = '"python", "catalog"' if request.param == "with a catalogue" else '"python"'
    (scripts / "toolspec.toml").write_text(f'targets = [{targets}]\nout = "made"\n')
    (scripts / "specs").mkdir()
    (scripts / "specs" / "notes.yaml").write_text(NOTES)
    (scripts / "specs" / "memos.json").write_text(MEMOS)
    subprocess.run([TOOLSPEC, "compile"], cwd=scripts, check=True, capture_output=True)
    return scripts


NAMES_OF_THE_PROJECT = pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["inspect", "no"], ["notes_list"]),
        (["inspect", "me"], ["memo.create"]),
        (["call", "memo"], ["memo.create"]),
        (["call", "memo.create", "--dry"], ["--dry-run"]),
        (["init", "handlers", ""], ["memos", "notes"]),
        (["init", "ha"], ["handlers"]),
        (["handlers", "m"], ["memos"]),
        (["serve", "--service", ""], ["memos", "notes"]),
        (["compile", "--target", "openai-chat"], ["openai-chat", "openai-chat-strict"]),
        (["inspect", "notes_list", "--target", "mist"], ["mistral"]),
    ],
)


@NAMES_OF_THE_PROJECT
def test_bash_completes_names_of_the_project(
    words: list[str], expected: list[str], project: Path
) -> None:
    assert in_bash([str(TOOLSPEC), *words], project) == expected
    (project / "specs" / "deeper").mkdir(exist_ok=True)
    assert in_bash([str(TOOLSPEC), *words], project / "specs" / "deeper", project) == expected


@NAMES_OF_THE_PROJECT
def test_zsh_completes_names_of_the_project(
    words: list[str], expected: list[str], project: Path
) -> None:
    assert in_zsh([str(TOOLSPEC), *words], project) == expected


@NAMES_OF_THE_PROJECT
def test_fish_completes_names_of_the_project(
    words: list[str], expected: list[str], project: Path
) -> None:
    assert in_fish([str(TOOLSPEC), *words], project) == expected


@pytest.mark.parametrize("complete", [in_bash, in_zsh, in_fish])
def test_a_command_below_the_home_folder_is_asked(
    complete: Callable[[list[str], Path], list[str]], project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(TOOLSPEC.parent))
    assert complete(["~/toolspec", "inspect", "no"], project) == ["notes_list"]


def test_services_are_known_before_the_first_compile(scripts: Path) -> None:
    (scripts / "specs").mkdir()
    (scripts / "specs" / "notes.yaml").write_text(NOTES.replace("  # Kept by hand.\n", ""))
    (scripts / "specs" / "memos.json").write_text(MEMOS)
    assert in_bash([str(TOOLSPEC), "init", "handlers", ""], scripts) == ["memos", "notes"]
    assert in_bash([str(TOOLSPEC), "inspect", "no"], scripts) == []


def test_names_that_a_shell_would_run_are_left_out(scripts: Path) -> None:
    tools = [{"name": name} for name in ("$(touch ran)", "`touch ran`", "a b", "good")]
    (scripts / "generated").mkdir()
    (scripts / "generated" / "catalog.json").write_text(json.dumps({"tools": tools}))
    assert in_bash([str(TOOLSPEC), "inspect", "g"], scripts) == ["good"]
    assert not (scripts / "ran").exists()


@pytest.mark.parametrize("text", ["", "[", "[]", '{"tools": 1}', '{"tools": [1]}', "[" * 100_000])
def test_a_catalogue_that_is_none_names_nothing(text: str, scripts: Path) -> None:
    (scripts / "generated").mkdir()
    (scripts / "generated" / "catalog.json").write_text(text)
    (scripts / "pyproject.toml").write_text("[tool")
    assert in_bash([str(TOOLSPEC), "inspect", "g"], scripts) == []


def test_names_are_answered_without_the_compiler(scripts: Path) -> None:
    script = (
        "import sys; sys.argv[1:] = ['__complete', 'services']\n"
        "from toolspec.cli.fast_path import answer; answer()\n"
        "print(*(name for name in sys.modules if name.startswith('toolspec')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=scripts, capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert loaded <= {
        *(
            "toolspec",
            "toolspec.version",
            "toolspec.driver",
            "toolspec.driver.incremental",
            "toolspec.driver.incremental.last_compile",
        ),
        *("toolspec.driver.incremental.fingerprints", "toolspec.cli", "toolspec.cli.fast_path"),
        *("toolspec.cli.color", "toolspec.cli.candidates"),
    }


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
