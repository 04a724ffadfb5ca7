"""Verbs with paths alone: they do without the application what they do through it."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from forkserver import toolspec
from toolspec.cli import checking, compiling, fast_path
from toolspec.cli.app import app
from toolspec.cli.exit_codes import Exit
from typer.testing import CliRunner

START = "import sys; sys.argv[0] = 'toolspec'; from toolspec.cli.main import main; main()"
SPEC = """toolspec: 1
service: {name: demo, description: A demo service.}
tools:
  - name: ping
    description: Answer a call to demo.
    mutation: false
    outputSchema: {type: string}
"""
MANY = {
    # They are all alike, which rules of taste would speak of.
    "toolspec.toml": '[lint]\npreset = "core-2026-11"\n',
    **{f"specs/s{n}.yaml": SPEC.replace("demo", f"demo{n}") for n in range(12)},
}
# All that a check loads of the targets themselves.
CHECKING = {
    f"toolspec.targets.{each}"
    for each in ("mcp.header", "mcp.kinds", "mcp.repetition", "python.hooks", "python.kinds")
}
# What `--format` says is what goes without saying, but it takes the application to read it.
SPOKEN = ("--format", "text")


def put(folder: Path, files: dict[str, str]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def command(*words: str) -> list[str]:
    return [sys.executable, "-c", START, *words]


def outcome(folder: Path, *words: str, **environment: str) -> tuple[object, ...]:
    """Return everything that a command leaves behind, but the cache, in which every command is told apart."""
    done = subprocess.run(
        [toolspec(), *words],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        check=False,
    )
    files = {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and ".toolspec-cache" not in path.parts
    }
    return done.returncode, done.stdout, done.stderr, files


def both_ways(tmp_path: Path, files: dict[str, str], words: list[str], **environment: str) -> tuple:
    """Return the outcome of some words with and without the application, each in a project of its own."""
    sides = []
    for side, spoken in (("direct", ()), ("application", SPOKEN)):
        folder = put(tmp_path / side / "project", files)
        sides.append(outcome(folder, words[0], *spoken, *words[1:], **environment))
    assert sides[0] == sides[1]
    return sides[0]


PROJECTS = {
    "clean": {"specs/demo.yaml": SPEC},
    "none": {},
    "faulty": {"specs/demo.yaml": SPEC.replace("mutation", "muation")},
    "warned": {"specs/demo.yaml": SPEC.replace("Answer a call.", "Answers.")},
    "broken": {"specs/demo.yaml": "toolspec: [1"},
    "misconfigured": {"specs/demo.yaml": SPEC, "toolspec.toml": "spces = []\n"},
    "elsewhere": {"specs/demo.yaml": SPEC, "toolspec.toml": 'out = "made"\ntargets = ["docs"]\n'},
    "foreign": {"specs/demo.yaml": SPEC, "generated/catalog.json": "mine\n"},
    "letters": {"specs/dämo.yaml": SPEC.replace("ping", "pïng")},
}


@pytest.mark.parametrize("verb", ["check", "compile"])
@pytest.mark.parametrize("name", PROJECTS)
def test_a_project_has_one_outcome(name: str, verb: str, tmp_path: Path) -> None:
    _, said, complained, _ = both_ways(tmp_path, PROJECTS[name], [verb])
    assert said
    assert not complained


@pytest.mark.parametrize("verb", ["check", "compile"])
@pytest.mark.parametrize(
    "paths",
    [
        ["specs"],
        ["specs/s1.yaml", "specs/s2.yaml"],
        ["specs/s1*.yaml", "./specs/../specs/s0.yaml"],
        ["nowhere"],
        ["specs/*.json"],
        [""],
        ["s-1.yaml"],
        [os.fsdecode(b"\xff\x1b[31m")],
        ["check", "help"],
    ],
)
def test_paths_lead_to_one_outcome(paths: list[str], verb: str, tmp_path: Path) -> None:
    both_ways(tmp_path, {**MANY, "s-1.yaml": SPEC}, [verb, *paths])


@pytest.mark.parametrize("verb", ["check", "compile"])
@pytest.mark.parametrize(
    "environment",
    [
        {"FORCE_COLOR": "1"},
        {"NO_COLOR": "1", "GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": "summary.md"},
        {"PYTHONIOENCODING": "ascii:strict", "PYTHONUTF8": "0"},
        {"COLUMNS": "20", "TERM": "dumb", "LC_ALL": "C"},
    ],
)
def test_the_environment_does_not_tell_them_apart(
    environment: dict[str, str], verb: str, tmp_path: Path
) -> None:
    for name in ("clean", "letters"):
        both_ways(tmp_path / name, PROJECTS[name], [verb], **environment)


@pytest.mark.parametrize("verb", ["check", "compile"])
def test_a_second_run_says_the_same(verb: str, tmp_path: Path) -> None:
    for _ in range(2):
        both_ways(tmp_path, PROJECTS["clean"], [verb])


@pytest.mark.parametrize("spoken", [(), SPOKEN])
@pytest.mark.parametrize("verb", ["check", "compile"])
def test_a_terminal_shows_progress(verb: str, spoken: tuple[str, ...], tmp_path: Path) -> None:
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        command(verb, *spoken),
        cwd=put(tmp_path, MANY),
        env={**os.environ, "TERM": "xterm-256color"},
        stdout=subprocess.PIPE,
        stderr=follower,
    )
    os.close(follower)
    said, _ = process.communicate()
    assert os.read(leader, 65536).startswith(b"\x1b[?25l")
    os.close(leader)
    assert b"12 " in said
    assert process.returncode == 0


@pytest.mark.parametrize("spoken", [(), SPOKEN])
def test_a_reader_who_had_enough_is_no_mistake(spoken: tuple[str, ...], tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    folder = put(tmp_path, PROJECTS["clean"])
    done = subprocess.run(
        command("check", *spoken), cwd=folder, stdout=writer, stderr=subprocess.PIPE, check=False
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.parametrize("spoken", [(), SPOKEN])
def test_an_interrupt_ends_it_without_a_word(spoken: tuple[str, ...], tmp_path: Path) -> None:
    interrupted = (
        "import os, signal, toolspec.driver.build as b;"
        "b.check = lambda *_: os.kill(os.getpid(), signal.SIGINT);"
    )
    done = subprocess.run(
        [sys.executable, "-c", interrupted + START, "check", *spoken],
        cwd=tmp_path,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (Exit.INTERRUPTED, b"", b"")


@pytest.mark.parametrize("words", [["check"], ["compile"], ["check", "a"], ["compile", "", "b c"]])
def test_the_defaults_are_those_of_the_options(
    words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[object, ...]] = []

    def note(*records: object) -> Exit:
        asked.append(records)
        return Exit.DIAGNOSTICS

    monkeypatch.setattr(checking, "check", note)
    monkeypatch.setattr(compiling, "compile_specs", note)
    assert fast_path.run_without_options(words) == Exit.DIAGNOSTICS
    assert CliRunner().invoke(app, words).exit_code == Exit.DIAGNOSTICS
    assert asked[0] == asked[1]


@pytest.mark.parametrize(
    "words", [[], ["check", "-"], ["check", "--"], ["compile", "a", "-v"], ["complie"], ["explain"]]
)
def test_all_else_is_the_application_s_to_read(words: list[str]) -> None:
    assert fast_path.run_without_options(words) is None


@pytest.mark.parametrize("name", ["clean", "faulty"])
@pytest.mark.parametrize("verb", ["check", "compile"])
def test_neither_the_application_nor_its_packages_are_loaded(
    verb: str, name: str, tmp_path: Path
) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *command(verb)[1:]],
        cwd=put(tmp_path, PROJECTS[name]),
        capture_output=True,
        text=True,
        check=False,
    )
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "toolspec.driver.build" in loaded
    packages = {each.partition(".")[0] for each in loaded}
    assert not packages & {"typer", "click", "rich", "pydantic", "pydantic_core"}
    assert not packages & {"jinja2", "jsonschema", "ruamel", "mcp", "asyncio", "referencing"}
    assert not {"toolspec.cli.app", "toolspec.cli.compile_loop"} & loaded
    if name == "clean":
        assert not {"toolspec.reports.frame", "toolspec.syntax.yaml_errors"} & loaded
    if verb == "check":
        # What makes files and puts them on the disk waits until some are made.
        assert "toolspec.driver.output" not in loaded
        of_targets = {each for each in loaded if each.startswith("toolspec.targets.")}
        assert {each for each in of_targets if each.count(".") > 2} == CHECKING
        assert not packages & {"tempfile", "tomllib", "multiprocessing", "concurrent"}
