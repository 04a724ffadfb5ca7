"""The answer of the last compile, kept in the project: one that came from elsewhere is not given."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from toolspec.driver import record, stamps
from toolspec.version import __version__

TOOLSPEC = Path(sys.executable).parent / "toolspec"
LIE = "::add-mask::everything is fine\n"


def compile_in(folder: Path) -> str:
    done = subprocess.run(
        [TOOLSPEC, "compile"], cwd=folder, capture_output=True, text=True, check=False
    )
    return done.stdout


def plant(folder: Path, path: str, stamp: str) -> None:
    """Write a record as one who knows the folder, the command and the version could."""
    place = folder / record.FOLDER
    place.mkdir(exist_ok=True)
    witness = place / record.WITNESS
    witness.write_text("*\n")
    entry = f"{path.format(witness)}\0{stamp.format(stamps.stamp(str(witness)))}"
    key = repr((__version__, sys.version, str(folder), False, ["compile"]))
    body = f"{record._MAGIC}\n{key}\n0\n\n{entry}\n\n{LIE}".encode()
    (place / record.NAME).write_bytes(b"%x\n" % record._checksum(body) + body)


@pytest.mark.parametrize(
    ("path", "stamp"),
    [
        ("/nothing/here", stamps.ABSENT),
        ("{}", stamps.ABSENT),
        ("{}", "1 1 2 1"),
        ("/", "{}"),
        ("{}x", "{}"),
    ],
)
def test_an_answer_that_came_with_the_files_is_not_given(
    path: str, stamp: str, tmp_path: Path
) -> None:
    plant(tmp_path, path, stamp)
    said = compile_in(tmp_path)
    assert LIE not in said
    assert "project/no-specs" in said


def test_an_answer_that_was_given_here_is(tmp_path: Path) -> None:
    plant(tmp_path, "{}", "{}")
    assert compile_in(tmp_path) == LIE


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make the file of another user")
def test_an_answer_of_another_user_is_not_given(tmp_path: Path) -> None:
    plant(tmp_path, "{}", "{}")
    os.chown(tmp_path / record.FOLDER / record.NAME, 12345, -1)
    assert LIE not in compile_in(tmp_path)


def test_a_guessed_name_of_a_temporary_file_leads_nowhere(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text("somebody's")
    folder = tmp_path / "project" / record.FOLDER
    folder.mkdir(parents=True)
    (folder / f"{record.NAME}.{os.getpid()}").symlink_to(outside)
    record.keep(str(tmp_path / "project"), record.NAME, b"data")
    assert outside.read_text() == "somebody's"


def test_a_refused_compile_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "a.yaml").write_text("toolspec: 1\n")
    compile_in(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["specs"]


def test_nothing_is_kept_behind_a_link(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / record.FOLDER).symlink_to(tmp_path / "outside")
    record.keep(str(tmp_path / "project"), record.NAME, b"data")
    assert list((tmp_path / "outside").iterdir()) == []
