"""`toolspec compile --watch` as a process: edited, broken, mended, and ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Timer

import pytest
from toolspec.driver import changing
from toolspec.driver.stamps import stamps_of

SPEC = """toolspec: 1
service: {name: demo, description: A demo service.}
tools:
  - name: ping
    description: Answer a call.
    mutation: false
    outputSchema: true
"""
START = "import sys; sys.argv[0] = 'toolspec'; from toolspec.cli.main import main; main()"


class Watching:
    """A watching process and the lines that it has printed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.spec = folder / "specs" / "demo.yaml"
        self.process = subprocess.Popen(
            [sys.executable, "-c", START, "compile", "--watch"],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def until(self, end: str) -> str:
        """Return what is printed up to a line that holds a text."""
        assert self.process.stdout
        seen = ""
        for line in self.process.stdout:
            seen += line
            if end in line:
                return seen
        raise AssertionError(seen)

    def output(self, name: str) -> str:
        return (self.folder / "generated" / name).read_text()


@pytest.fixture
def watching(tmp_path: Path) -> Iterator[Watching]:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "demo.yaml").write_text(SPEC)
    os.utime(tmp_path / "specs" / "demo.yaml", ns=(1_000_000_001, 1_000_000_001))
    watching = Watching(tmp_path)
    # A hung process would never print what a test waits for.
    guard = Timer(60, watching.process.kill)
    guard.start()
    yield watching
    guard.cancel()
    watching.process.kill()
    watching.process.communicate()


def test_it_follows_edits_keeps_the_last_good_output_and_ends(watching: Watching) -> None:
    first = watching.until("1 tool:")
    assert "note[schema/any-output]" in first
    good = watching.output("demo/mcp.json")

    watching.spec.write_text("\n\n" + SPEC.replace("Answer a call", "Answer every call"))
    edited = watching.until("written")
    assert "any-output" not in edited
    assert "Answer every call" in watching.output("demo/mcp.json")
    assert good != watching.output("demo/mcp.json")
    good = watching.output("demo/mcp.json")

    watching.spec.write_text(SPEC.replace("mutation", "muation"))
    broken = watching.until("stays as it is")
    assert "error[shape/unknown-key]" in broken
    assert watching.output("demo/mcp.json") == good

    watching.spec.write_text(SPEC.replace("outputSchema: true", "outputSchema: {type: string}"))
    mended = watching.until("written")
    assert "gone: error[shape/unknown-key]" in mended
    assert "-->" not in mended

    watching.process.send_signal(signal.SIGINT)
    _, errors = watching.process.communicate()
    assert watching.process.returncode == 130
    assert errors == ""


def test_it_sees_new_documents_and_a_new_configuration(watching: Watching) -> None:
    watching.until("1 tool:")
    other = SPEC.replace("name: demo", "name: other")
    (watching.folder / "specs" / "other.yaml").write_text(other)
    assert "2 services" in watching.until("2 tools")
    (watching.folder / "toolspec.toml").write_text('targets = ["docs"]\n')
    assert "stay as they are" in watching.until("unnamed-target")
    watching.until("written")
    (watching.folder / "specs" / "other.yaml").unlink()
    assert "1 service" in watching.until("removed")
    assert not (watching.folder / "generated" / "docs" / "other.md").exists()


def test_a_broken_configuration_takes_no_warning_back(watching: Watching) -> None:
    assert "note[schema/any-output]" in watching.until("1 tool:")
    configuration = watching.folder / "toolspec.toml"
    configuration.write_text("targetz = 1\n")
    broken = watching.until("stays as it is")
    assert "error[config/unknown-key]" in broken
    assert "gone:" not in broken
    configuration.write_text('out = "generated"\n')
    mended = watching.until("1 tool:")
    assert mended.count("gone:") == 1
    assert "gone: error[config/unknown-key]" in mended
    assert "any-output" not in mended


@pytest.mark.parametrize("other", ["--check", "--diff"])
def test_it_is_not_for_those_that_write_nothing(tmp_path: Path, other: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", START, "compile", "--watch", other],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "--watch" in done.stderr


def test_waiting_ends_when_files_rest(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("0")
    seen = stamps_of([str(path)])
    writes = iter(range(1, 4))

    class Clock(Event):
        """Each wait, as if in between somebody wrote."""

        def wait(self, timeout: float | None = None) -> bool:
            if (number := next(writes, None)) is not None:
                path.write_text("x" * number)
            return False

    changing.wait_for_change(seen, Clock())
    assert path.read_text() == "xxx"


def test_waiting_ends_when_it_is_told_to(tmp_path: Path) -> None:
    ended = Event()
    ended.set()
    changing.wait_for_change(stamps_of([str(tmp_path)]), ended)
