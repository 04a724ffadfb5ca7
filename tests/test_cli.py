"""The command as a process: exit statuses, streams, colour, and what start-up loads."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from forkserver import toolspec
from sampling import sampled
from terminals import read_to_end
from toolspec.version import __version__

TOOLSPEC = toolspec()
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


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "demo.yaml").write_text(SPEC)
    return tmp_path


def run(*arguments: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [TOOLSPEC, *arguments],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def in_terminal(*arguments: str, folder: Path, **environment: str) -> str:
    """Return what the command prints when a person's terminal is at the other end."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [TOOLSPEC, *arguments],
        cwd=folder,
        env={**os.environ, "TERM": "xterm-256color", **environment},
        stdout=follower,
        stderr=follower,
    )
    os.close(follower)
    seen = read_to_end(leader)
    assert process.wait() == 0, seen
    return seen.decode()


def test_version(tmp_path: Path) -> None:
    done = run("--version", folder=tmp_path)
    assert (done.returncode, done.stdout) == (0, f"toolspec {__version__}\n")


def test_unknown_verb_is_wrong_usage(tmp_path: Path) -> None:
    assert run("complie", folder=tmp_path).returncode == 2


def test_no_specs_at_all(tmp_path: Path) -> None:
    done = run("compile", folder=tmp_path)
    assert done.returncode == 2
    assert "project/no-specs" in done.stdout
    assert not list(tmp_path.iterdir())


def test_output_folder_that_is_a_file(project: Path) -> None:
    (project / "generated").write_text("mine")
    done = run("compile", folder=project)
    assert done.returncode == 1
    assert "output/unwritable" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr
    assert (project / "generated").read_text() == "mine"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_output_folder_that_cannot_be_written(project: Path) -> None:
    (project / "generated").mkdir(mode=0o500)
    done = run("compile", folder=project)
    assert done.returncode == 1
    assert "output/unwritable" in done.stdout


LONG = "9" * 400


@pytest.mark.parametrize(
    "command",
    [
        ("check", LONG),
        ("check", f"a/{LONG}*"),
        ("fmt", LONG),
        ("compile", "--out", LONG),
        ("compile", "--templates", LONG),
        ("check", "--format", f"json={LONG}"),
        ("init", LONG),
        ("diff", LONG, "specs"),
        ("templates", "eject", "types.py.jinja", "--to", LONG),
    ],
)
def test_a_name_that_is_too_long_is_wrong_usage(project: Path, command: tuple[str, ...]) -> None:
    done = run(*command, folder=project)
    assert done.returncode == 2
    assert "999" in done.stdout + done.stderr
    assert not list(project.glob("9*"))


def test_output_that_cannot_be_written_is_named_and_no_temporary_file(project: Path) -> None:
    done = run("compile", "--out", "/proc/generated", folder=project)
    assert done.returncode == 1
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("error")]
    assert line.startswith("error[output/unwritable] cannot write to `")
    assert "proc/generated`: " in line


def test_a_compile_says_wrote_of_what_was_written(project: Path) -> None:
    first = run("compile", folder=project).stdout
    assert "  wrote demo/{__init__.py, " in first
    (project / "specs" / "demo.yaml").write_text(
        (project / "specs" / "demo.yaml").read_text() + "# The end.\n"
    )
    assert "wrote" not in run("compile", "--no-cache", folder=project).stdout


def test_output_through_a_link_is_refused(
    project: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (project / "generated").mkdir()
    (project / "generated" / "demo").symlink_to(outside)
    done = run("compile", folder=project)
    assert done.returncode == 1
    assert "output/symbolic-link" in done.stdout
    assert not list(outside.iterdir())


def test_a_failed_compile_changes_nothing(project: Path) -> None:
    assert run("compile", folder=project).returncode == 0
    before = {path: path.read_bytes() for path in project.rglob("*") if path.is_file()}
    (project / "specs" / "demo.yaml").write_text(SPEC.replace("mutation", "muation"))
    assert run("compile", folder=project).returncode == 1
    for path, content in before.items():
        if path.parent.name != "specs":
            assert path.read_bytes() == content


def test_the_summary_names_tools_with_safety_in_colour(project: Path) -> None:
    seen = in_terminal("compile", folder=project)
    assert "\x1b[32mread-only" in seen
    assert "demo_ping" in seen


def test_the_summary_names_methods_only_where_python_was_made(project: Path) -> None:
    assert "DemoHandlers.ping" in run("compile", folder=project).stdout
    other = run("compile", "--target", "docs", "--out", "docs", folder=project).stdout
    name, tokens, safety = other.splitlines()[1].split()
    assert (name, safety) == ("demo_ping", "read-only")
    assert int(tokens) > 0


def test_no_color_is_plain(project: Path) -> None:
    assert "\x1b" not in in_terminal("compile", folder=project, NO_COLOR="1")


def test_piped_output_is_plain_and_stderr_silent(project: Path) -> None:
    done = run("compile", folder=project)
    assert "\x1b" not in done.stdout
    assert done.stderr == ""


def test_long_work_shows_progress_in_a_terminal(project: Path) -> None:
    for number in range(20):
        text = SPEC.replace("name: demo", f"name: demo{number}")
        (project / "specs" / f"demo{number}.yaml").write_text(text)
    assert "compiling" in in_terminal("compile", folder=project)


def test_github_s_step_summary_is_filled(project: Path) -> None:
    spec = project / "specs" / "demo.yaml"
    spec.write_text(SPEC.replace("mutation", "muation | [x](y)"))
    page = project / "summary.md"
    page.write_text("before\n")
    done = run("check", "--format", "github", folder=project, GITHUB_STEP_SUMMARY=str(page))
    assert done.stdout.startswith("::error file=specs/demo.yaml,line=")
    lines = page.read_text().splitlines()
    assert lines[:2] == ["before", "### toolspec"]
    rows = [line for line in lines if line.startswith("| error")]
    assert len(rows) == done.stdout.count("::error ")
    assert all(len(row.replace("\\|", "").split("|")) == 6 for row in rows)


@pytest.mark.parametrize("spoken", [(), ("--format", "text")])
def test_internal_error_is_one_line_and_ours(project: Path, spoken: tuple[str, ...]) -> None:
    code = (
        "import toolspec.driver.build as b; b.check = lambda *_: 1 / 0;"
        "from toolspec.cli.main import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "check", *spoken],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 70
    assert done.stderr.count("\n") == 1
    assert "ZeroDivisionError" in done.stderr
    report = Path(done.stderr.rsplit(" ", 1)[1].strip())
    assert "Traceback" in report.read_text()
    report.unlink()


@pytest.mark.parametrize("unbuffered", sampled(["", "1"], 1))
@pytest.mark.parametrize(
    ("words", "status"),
    sampled(
        [
            ("check", 1),
            ("check --format json", 1),
            ("compile", 1),
            ("--version", 0),
            ("check -h", 0),
        ],
        2,
        rows=True,
    ),
)
@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_a_closed_stream_hides_what_is_said_and_no_more(
    project: Path, words: str, status: int, closed: str, unbuffered: str
) -> None:
    spec = project / "specs" / "demo.yaml"
    spec.write_text(SPEC.replace("mutation", "muation"))
    done = in_shell(f"{words} {closed}", project, PYTHONUNBUFFERED=unbuffered)
    assert done.returncode == status
    assert done.stderr == ""
    assert bool(done.stdout) == (closed == "2>&-")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    "words", ["check", "check --format json", "compile", "--version", "explain"]
)
def test_an_output_that_takes_nothing_is_told_in_a_line(
    project: Path, words: str, unbuffered: str
) -> None:
    done = in_shell(f"{words} >/dev/full", project, PYTHONUNBUFFERED=unbuffered)
    assert done.returncode == 2
    assert done.stderr == (
        "toolspec: the standard output cannot be written: No space left on device\n"
    )


def in_shell(line: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", f"{TOOLSPEC} {line}"],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
