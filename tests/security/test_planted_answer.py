"""The answer of the last compile, kept in the project: one that came from elsewhere is not given."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from forkserver import toolspec
from toolspec.cli import fast_path
from toolspec.driver.incremental import fingerprints, last_compile
from toolspec.version import __version__

TOOLSPEC = toolspec()
LIE = "::add-mask::everything is fine\n"


def compile_in(folder: Path) -> str:
    done = subprocess.run(
        [TOOLSPEC, "compile"], cwd=folder, capture_output=True, text=True, check=False
    )
    return done.stdout


Look = tuple[int, ...]
TRUE: Look = (0,)  # stands for what the witness really looks like


def plant(folder: Path, path: str, look: Look, witness_look: Look = TRUE) -> None:
    """Write a record as one who knows the folder, the command and the version could."""
    location = folder / last_compile.FOLDER
    location.mkdir(exist_ok=True)
    witness = location / last_compile.WITNESS
    witness.write_text("*\n")
    true = fingerprints.stat_numbers(str(witness))
    of_witness, of_path = (true if each == TRUE else each for each in (witness_look, look))
    compiler = (__version__, fast_path.__file__, sys.version, os.environ.get("TOOLSPEC_VALIDATOR"))
    workspace = os.environ.get("GITHUB_WORKSPACE")
    key = repr((*compiler, str(folder), workspace, False, ["compile"]))
    rest = (key, "0", last_compile._ALWAYS, str(hash((hash(of_witness), of_path))))
    head = "\0".join((last_compile._MAGIC, *rest))
    last_compile.write_entry(
        str(folder), last_compile.NAME, f"{head}\0\0{path.format(witness)}\0\0{LIE}".encode()
    )


@pytest.mark.parametrize(
    ("path", "look", "witness_look"),
    [
        ("/nothing/here", (), ()),
        ("{}", (), ()),
        ("{}", (1, 1, 2, 1), (1, 1, 2, 1)),
        ("/", TRUE, TRUE),
        ("{}x", TRUE, TRUE),
    ],
)
def test_an_answer_that_came_with_the_files_is_not_given(
    path: str, look: Look, witness_look: Look, tmp_path: Path
) -> None:
    plant(tmp_path, path, look, witness_look)
    said = compile_in(tmp_path)
    assert LIE not in said
    assert "project/no-specs" in said


def test_an_answer_that_was_given_here_is(tmp_path: Path) -> None:
    plant(tmp_path, "{}", TRUE)
    assert compile_in(tmp_path) == LIE


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make the file of another user")
def test_an_answer_of_another_user_is_not_given(tmp_path: Path) -> None:
    plant(tmp_path, "{}", TRUE)
    os.chown(tmp_path / last_compile.FOLDER / last_compile.NAME, 12345, -1)
    assert LIE not in compile_in(tmp_path)


def test_a_guessed_name_of_a_temporary_file_leads_nowhere(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text("somebody's")
    folder = tmp_path / "project" / last_compile.FOLDER
    folder.mkdir(parents=True)
    (folder / f"{last_compile.NAME}.{os.getpid()}").symlink_to(outside)
    last_compile.write_entry(str(tmp_path / "project"), last_compile.NAME, b"data")
    assert outside.read_text() == "somebody's"


def test_a_refused_compile_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "a.yaml").write_text("toolspec: 1\n")
    compile_in(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["specs"]


def test_nothing_is_kept_behind_a_link(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / last_compile.FOLDER).symlink_to(tmp_path / "outside")
    last_compile.write_entry(str(tmp_path / "project"), last_compile.NAME, b"data")
    assert list((tmp_path / "outside").iterdir()) == []
