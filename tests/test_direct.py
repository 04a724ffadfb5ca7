"""Verbs with paths alone: they do without the application what they do through it."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from inspect import signature
from pathlib import Path

import pytest
from forkserver import toolspec
from hypothesis import given, settings
from hypothesis import strategies as st
from sampling import sampled
from toolspec.cli import checking, command_line, compiling, formatting
from toolspec.cli.app import app
from toolspec.cli.exit_codes import Exit
from typer.main import get_group
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
# An option with its default, in a form that is left to the application.
SPOKEN = ("--format=text", "--fail-on", "error", "--")


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


@pytest.mark.parametrize("verb", sampled(["check", "compile"], 1))
@pytest.mark.parametrize("name", sampled(PROJECTS, 5))
def test_a_project_has_one_outcome(name: str, verb: str, tmp_path: Path) -> None:
    _, said, complained, _ = both_ways(tmp_path, PROJECTS[name], [verb])
    assert said
    assert not complained


@pytest.mark.parametrize("verb", sampled(["check", "compile"], 1))
@pytest.mark.parametrize(
    "paths",
    sampled(
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
        5,
    ),
)
def test_paths_lead_to_one_outcome(paths: list[str], verb: str, tmp_path: Path) -> None:
    both_ways(tmp_path, {**MANY, "s-1.yaml": SPEC}, [verb, *paths])


@pytest.mark.parametrize("verb", ["check", "compile"])
@pytest.mark.parametrize(
    "environment",
    sampled(
        [
            {"FORCE_COLOR": "1"},
            {"NO_COLOR": "1", "GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": "summary.md"},
            {"PYTHONIOENCODING": "ascii:strict", "PYTHONUTF8": "0"},
            {"COLUMNS": "20", "TERM": "dumb", "LC_ALL": "C"},
        ],
        1,
    ),
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


@pytest.mark.parametrize("spoken", sampled([(), SPOKEN], 1))
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


RUNS = {"check": checking, "compile": compiling, "fmt": formatting}
KINDS = {
    "bool": command_line.FLAG,
    "str | None": command_line.TEXT,
    "list[str] | None": command_line.TEXTS,
    "int | None": command_line.NUMBER,
    "FailOn": command_line.LEVEL,
}
VALUES = ("text", "github=a", "specs", "a b", "error", "note", "0", "7", "-1", "", " ", "--check")
UNUSUAL = (
    "--help",
    "-h",
    "--",
    "-",
    "-vw",
    "-j4",
    "--jobs=3",
    "-o=a",
    "--fix=1",
    "--ou",
    "--executor",
)


@pytest.mark.parametrize("name", command_line.OPTIONS)
def test_the_table_has_the_options_of_the_application(name: str) -> None:
    parameters = signature(RUNS[name].run).parameters
    kinds = {
        option: (parameter.name, KINDS[str(parameters[str(parameter.name)].annotation)])
        for parameter in get_group(app).get_command(None, name).params  # type: ignore[arg-type, union-attr]
        for option in parameter.opts
        if option.startswith("-")
    }
    assert kinds.pop("--executor", None) in {None, ("executor", command_line.TEXT)}
    assert kinds == command_line.OPTIONS[name]


WORDS = {
    name: st.lists(st.sampled_from([*options, *options, *VALUES, *UNUSUAL]), max_size=6)
    for name, options in command_line.OPTIONS.items()
}


@given(st.sampled_from([*WORDS]).flatmap(lambda name: st.tuples(st.just(name), WORDS[name])))
@settings(derandomize=True, max_examples=1000, deadline=None)
def test_what_is_parsed_without_the_application_is_what_it_reads(
    words: tuple[str, list[str]],
) -> None:
    name, rest = words
    parsed = command_line.parse([name, *rest])
    if parsed is None:
        return
    called: list[dict[str, object]] = []

    def note(paths: list[str] | None = None, **options: object) -> Exit:
        called.append({"paths": paths or [], **options})
        return Exit.DIAGNOSTICS

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RUNS[name], "run", note)
        assert CliRunner().invoke(app, [name, *rest]).exit_code == Exit.DIAGNOSTICS
        assert command_line.run([name, *rest]) == Exit.DIAGNOSTICS
    typer_options, own_options = called
    defaults = signature(RUNS[name].run).parameters
    unset = {key: each.default for key, each in defaults.items() if key != "paths"}
    assert typer_options == {**unset, **own_options}


@pytest.mark.parametrize(
    "words",
    [
        [], ["check", "-"], ["check", "--"], ["compile", "-vw"], ["complie"], ["explain"],
        ["compile", "--jobs", "0"], ["compile", "--out"], ["compile", "--fail-on", "all"],
        ["fmt", "--fix"], ["compile", "--executor", "a:b"], ["compile", "--templates", " "],
    ],
)  # fmt: skip
def test_all_else_is_the_application_s_to_read(words: list[str]) -> None:
    assert command_line.run(words) is None


@pytest.mark.parametrize("options", sampled([(), ("--format", "short", "-v")], 1))
@pytest.mark.parametrize("name", ["clean", "faulty"])
@pytest.mark.parametrize("verb", ["check", "compile"])
def test_neither_the_application_nor_its_packages_are_loaded(
    verb: str, name: str, options: tuple[str, ...], tmp_path: Path
) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *command(verb, *options)[1:]],
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
        assert not packages & {
            *("tempfile", "tomllib", "multiprocessing", "concurrent", "subprocess"),
        }
