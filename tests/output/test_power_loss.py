"""The order of calls that a power loss asks for: what is renamed is on the disk, and so is its name."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from errno import ENOSPC
from pathlib import Path
from typing import Any

import pytest
from faults import run
from toolspec.driver.output import File, Stage, commit, publish
from toolspec.driver.output.commit import _MANY
from toolspec.driver.write_options import WriteOptions
from trees import emission, files_of, made

pytestmark = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")

Call = tuple[str, str, str]


def recorded(work: Callable[[], object]) -> list[Call]:
    """Return renames, removals and syncs of some work, in order; only for a process of its own."""
    calls: list[Call] = []
    sync = os.fsync

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "os.rename":
            calls.append(("rename", os.fspath(arguments[0]), os.fspath(arguments[1])))
        elif event in {"os.remove", "os.rmdir", "os.mkdir"}:
            calls.append((event[3:], os.fspath(arguments[0]), ""))

    def fsync(descriptor: int) -> None:
        calls.append(("sync", str(Path(f"/proc/self/fd/{descriptor}").readlink()), ""))
        sync(descriptor)

    os.fsync = fsync
    sys.addaudithook(hook)
    work()
    return calls


def assert_ordered(calls: list[Call], out: Path) -> None:
    synced: set[str] = set()
    dirty: set[str] = set()
    moves = str(out / ".toolspec" / "moves.json")
    for call, path, to in calls:
        if call == "sync":
            synced.add(path)
            dirty.discard(path)
        elif call == "rename":
            assert path in synced, f"{path} is renamed before it is on the disk"
            synced.add(to)
            if to != moves:
                assert not dirty & {str(out / ".toolspec")}, (
                    "the name of the list is not on the disk"
                )
                dirty |= {str(Path(path).parent), str(Path(to).parent)}
            else:
                assert str(out / ".toolspec" / "stage") in synced
                dirty.add(str(out / ".toolspec"))
        elif path == moves:
            # What a stage loses is discarded.
            names = {
                each for each in dirty if Path(each).is_relative_to(out) and "build-" not in each
            }
            assert names <= {str(out / ".toolspec" / "stage")}, f"{names} are not on the disk"
            return
        elif ".toolspec" not in path:
            dirty.add(str(Path(path).parent))
            dirty.discard(path)
    pytest.fail("the list of moves was never removed")


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="tells a descriptor's file by /proc")
@pytest.mark.parametrize("more", [0, _MANY], ids=["few", "many"])
@pytest.mark.parametrize("is_staged", [False, True])
def test_everything_is_on_the_disk_before_the_list_of_moves_goes(
    tmp_path: Path, is_staged: bool, more: int
) -> None:
    out = tmp_path / "generated"
    made(out, emission(a_py="a\n", b__c_py="c\n", d__e__f_py="f\n", d__g_py="g\n"))
    others = {f"k__m{number}_py": f"{number}\n" for number in range(more)}
    new = emission(a_py="A\n", h__i__j_py="j\n", d__g_py="g\n", **others)

    def work() -> tuple[()]:
        with closing(Stage(out, {}, writes=True)) as stage:
            files = files_of([new])
            calls = recorded(
                lambda: publish(
                    out, stage.store("a", files) if is_staged else files, WriteOptions()
                )
            )
        assert_ordered(calls, out)
        return ()

    outcome = run(work)
    assert outcome.status == 0, outcome.text


def many() -> tuple[File, ...]:
    return files_of([emission(**{f"m{number}_py": f"{number}\n" for number in range(_MANY)})])


def test_one_of_many_files_that_cannot_be_synced_stops_the_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sync = commit.sync_file
    has_failed = threading.Event()

    def sync_file(path: Path | str) -> None:
        number = Path(path).name
        if number == "7":  # the first of the files that cannot be synced fails last
            assert has_failed.wait(30)
        if number.endswith("7"):
            has_failed.set()
            raise OSError(ENOSPC, "No space left on device")
        sync(path)

    monkeypatch.setattr(commit, "sync_file", sync_file)
    (failed,) = publish(tmp_path / "generated", many(), WriteOptions()).diagnostics
    assert failed.code == "output/unwritable"
    seventh = sorted(file.path for file in many())[7]
    assert f"generated/{seventh}" in failed.message
    assert not list(tmp_path.rglob("*.py"))


def test_many_files_are_synced_where_no_thread_can_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def start(_: threading.Thread) -> None:
        message = "can't start new thread"
        raise RuntimeError(message)

    monkeypatch.setattr(threading.Thread, "start", start)
    assert not publish(tmp_path / "generated", many(), WriteOptions()).diagnostics
    assert len(list(tmp_path.rglob("*.py"))) == _MANY
