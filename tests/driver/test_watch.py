"""`toolspec compile --watch` as a process: edited, broken, mended, and ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, Timer

import pytest
from toolspec.driver import watch
from toolspec.driver.build import Request, check
from toolspec.driver.incremental import fingerprints
from toolspec.driver.incremental.fingerprints import (
    UNRELIABLE,
    fingerprint_to_read,
    fingerprints_of,
)
from toolspec.driver.watch import Watcher

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
    old(tmp_path / "specs" / "demo.yaml", SPEC)
    yield from _watched(tmp_path)


def _watched(folder: Path) -> Iterator[Watching]:
    watching = Watching(folder)
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
    broken = watching.until("is unchanged")
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
    assert "remain unchanged" in watching.until("unnamed-target")
    watching.until("written")
    # A compile that failed before it looked at the output says nothing about the output.
    watching.spec.write_text(SPEC.replace("mutation", "muation"))
    assert "unnamed-target" not in watching.until("is unchanged")
    watching.spec.write_text(SPEC)
    assert "unnamed-target" not in watching.until("2 tools")
    (watching.folder / "specs" / "other.yaml").unlink()
    assert "1 service" in watching.until("removed")
    assert not (watching.folder / "generated" / "docs" / "other.md").exists()


def test_a_broken_configuration_takes_no_warning_back(watching: Watching) -> None:
    assert "note[schema/any-output]" in watching.until("1 tool:")
    configuration = watching.folder / "toolspec.toml"
    configuration.write_text("targetz = 1\n")
    broken = watching.until("is unchanged")
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


@pytest.fixture
def parted(tmp_path: Path) -> Iterator[Watching]:
    """A watched service whose tools are in files of a pattern elsewhere in the project."""
    parts = tmp_path / "parts"
    (parts / "deep").mkdir(parents=True)
    (tmp_path / "specs").mkdir()
    service, tools = SPEC.split("tools:\n")
    (tmp_path / "specs" / "demo.yaml").write_text(service + 'include: ["../parts/**/*.yaml"]\n')
    (parts / "ping.yaml").write_text("tools:\n" + tools)
    (parts / "deep" / "pong.yaml").write_text("tools:\n" + tools.replace("ping", "pong"))
    yield from _watched(tmp_path)


def test_it_sees_edits_of_every_kind(parted: Watching) -> None:
    parted.until("2 tools")
    ping, pong = (
        parted.folder / "parts" / "ping.yaml",
        parted.folder / "parts" / "deep" / "pong.yaml",
    )
    before = ping.stat()
    # The same size and the same time of change.
    ping.write_text(ping.read_text().replace("Answer", "Accept"))
    os.utime(ping, ns=(before.st_atime_ns, before.st_mtime_ns))
    parted.until("written")
    assert "Accept a call" in parted.output("demo/mcp.json")

    # The way in which many editors save.
    beside = parted.folder / "parts" / "deep" / "pong.yaml.tmp"
    beside.write_text(pong.read_text().replace("Answer", "Return"))
    beside.replace(pong)
    parted.until("written")
    assert "Return a call" in parted.output("demo/mcp.json")

    added = parted.folder / "parts" / "new" / "below"
    added.mkdir(parents=True)
    (added / "pang.yaml").write_text(pong.read_text().replace("pong", "pang"))
    parted.until("3 tools")

    added.rename(parted.folder / "parts" / "new" / ".below")
    parted.until("2 tools")

    (parted.folder / "parts" / "new" / ".below").rename(parted.folder / "parts" / "other")
    parted.until("3 tools")

    pong.unlink()
    parted.until("2 tools")
    pong.parent.rmdir()
    (parted.folder / "toolspec.toml").write_text('out = "elsewhere"\n')
    parted.until("elsewhere")
    assert (parted.folder / "elsewhere" / "demo" / "mcp.json").exists()


def test_a_build_depends_on_no_folder_of_output_or_tools(tmp_path: Path) -> None:
    (tmp_path / "toolspec.toml").write_text('specs = ["*.yaml", "**/*.yml"]\n')
    (tmp_path / "demo.yaml").write_text(SPEC)
    left_out = [tmp_path / each for each in ("generated", ".venv", "node_modules/x", ".git")]
    wanted = [tmp_path / "parts", tmp_path / "parts" / "below"]
    for folder in (*left_out, *wanted):
        folder.mkdir(parents=True)
        (folder / "pang.yml").write_text("not: a service\n")
    for folder in wanted:
        (folder / "pang.yml").write_text(SPEC.replace("demo", folder.name))
    checked = check(Request(folder=tmp_path))
    assert {each.name for each in checked.value.summaries} == {"demo", "parts", "below"}
    assert not [each for each in checked.diagnostics if each.severity == "error"]
    seen = checked.value.fingerprints
    assert {*map(str, wanted)} <= {*seen}
    assert not [each for each in seen if any(str(folder) in each for folder in left_out)]


def test_a_pattern_without_stars_for_folders_depends_on_its_own_alone(tmp_path: Path) -> None:
    (tmp_path / "toolspec.toml").write_text('specs = ["*.yaml"]\n')
    (tmp_path / "demo.yaml").write_text(SPEC)
    (tmp_path / "sources" / "below").mkdir(parents=True)
    seen = check(Request(folder=tmp_path)).value.fingerprints
    assert str(tmp_path) in seen
    assert not [each for each in seen if "sources" in each]


class Clock(Event):
    """Does something in place of each wait, and ends when that raises StopIteration."""

    def __init__(self, action: Callable[[], object]) -> None:
        super().__init__()
        self.action = action

    def wait(self, timeout: float | None = None) -> bool:
        try:
            self.action()
        except StopIteration:
            return True
        return False


def old(path: Path, text: str) -> str:
    """Write a file that can be read for sure, and return its path."""
    path.write_text(text)
    os.utime(path, ns=(1_000_000_001, 1_000_000_001))
    return str(path)


def test_waiting_ends_when_files_rest(tmp_path: Path) -> None:
    path = tmp_path / "file"
    seen = fingerprints_of([old(path, "0")])
    writes = iter(range(1, 4))

    def write() -> None:
        if (number := next(writes, None)) is not None:
            path.write_text("x" * number)

    Watcher().wait(seen, Clock(write))
    assert path.read_text() == "xxx"


def test_waiting_ends_when_the_event_is_set(tmp_path: Path) -> None:
    ended = Event()
    ended.set()
    Watcher().wait(fingerprints_of([str(tmp_path)]), ended)


def test_a_file_read_too_soon_is_read_again_but_one_from_the_future_only_when_it_changes(
    tmp_path: Path,
) -> None:
    path = tmp_path / "file"
    seen = fingerprints_of([old(path, "0")])
    polls = iter(range(3))
    Watcher().wait({str(path): seen[str(path)] + UNRELIABLE}, Clock(lambda: next(polls)))
    assert next(polls) == 0

    future = time.time_ns() + 10**15
    os.utime(path, ns=(future, future))
    seen = {str(path): fingerprint_to_read(str(path))}
    assert seen[str(path)].endswith(UNRELIABLE)
    polls = iter(range(3))
    Watcher().wait(seen, Clock(lambda: next(polls)))
    assert next(polls, None) is None


def test_a_poll_looks_at_some_files_and_at_those_that_changed_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [old(tmp_path / f"{number:04}", "0") for number in range(2000)]
    looks: list[str] = []
    polls: list[list[str]] = []

    def look(path: str) -> tuple[int, ...]:
        looks.append(path)
        return fingerprints.stat_numbers(path)

    def end_poll() -> None:
        polls.append([*looks])
        looks.clear()
        if len(polls) == 7:
            raise StopIteration

    monkeypatch.setattr(watch, "stat_numbers", look)
    watcher = Watcher()
    watcher.wait(fingerprints_of(paths), Clock(end_poll))
    assert max(map(len, polls)) <= 300
    assert sorted(each for poll in polls for each in poll) == paths

    (tmp_path / "1999").write_text("1")
    before = {**fingerprints_of(paths), paths[-1]: fingerprints.ABSENT}
    watcher.wait(before, Clock(looks.clear))
    looks.clear()
    polls.clear()
    watcher.wait(fingerprints_of(paths), Clock(end_poll))
    assert max(map(len, polls)) <= 301
    assert all(paths[-1] in poll for poll in polls)
