"""Several compiles of one folder at once: they wait for each other, and the output is one of theirs."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from toolspec.driver.output import drift, publish
from toolspec.driver.output.exclusive import exclusive, has_state
from toolspec.driver.write_options import WriteOptions
from trees import Emission, emission, files_of, made, roomy, snapshot

pytestmark = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
WRITERS = 8


@pytest.fixture
def out() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=roomy()) as folder:
        yield Path(folder) / "generated"


def of_writer(number: int) -> Emission:
    """Return an output that shares files with those of other writers and has some of its own."""
    files = {f"shared__file{each}_py": f"by {number}\n" for each in range(5)}
    return emission(**files, **{f"own{number}__file_py": f"by {number}\n"})


def written(number: int, folder: Path) -> dict[str, bytes]:
    assert made(folder, of_writer(number)) == ()
    return snapshot(folder)


def start(number: int, out: Path, rounds: int) -> int:
    child = os.fork()
    if child:
        return child
    status = 70
    try:
        for _ in range(rounds):
            done = publish(out, files_of([of_writer(number)]), WriteOptions(lock_timeout=30))
            assert not done.diagnostics, done.diagnostics
        status = 0
    except BaseException as error:  # noqa: BLE001 - a child ends here, whatever it was
        sys.stderr.write(repr(error))
    finally:
        os._exit(status)


def race(out: Path, rounds: int) -> None:
    expected = [written(number, out.parent / str(number)) for number in range(WRITERS)]
    children = [start(number, out, rounds) for number in range(WRITERS)]
    ends = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    assert ends == [0] * WRITERS
    assert snapshot(out) in expected
    assert not has_state(out)


def test_eight_writers(out: Path) -> None:
    race(out, rounds=5)


@pytest.mark.prove
def test_eight_writers_for_two_hundred_rounds(out: Path) -> None:
    race(out, rounds=200)


def test_a_second_writer_gives_up_and_changes_nothing(out: Path) -> None:
    made(out, emission(a_py="a\n"))
    before = snapshot(out)
    with exclusive(out, 0):
        assert made(out, emission(a_py="A\n")) == ("output/busy",)
        assert drift(out, files_of([emission(a_py="a\n")]), WriteOptions()).ok
    assert snapshot(out) == before
    assert made(out, emission(a_py="A\n")) == ()


def test_a_folder_that_was_made_only_to_be_held_goes_again(out: Path) -> None:
    with exclusive(out / "deep", 0):
        assert has_state(out / "deep")
    assert not out.exists()
