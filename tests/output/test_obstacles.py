"""What stands in the way of an output: told once, with nothing changed there or anywhere else."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from toolspec.driver.output import check_paths
from toolspec.targets.target import Artifact
from trees import Emission, emission, files_of, made, snapshot

FILES = emission(a_py="a\n", b__c_py="c\n", b__d__e_py="e\n")
LOCATIONS = ("a.py", "b", "b/c.py", "b/d", "b/d/e.py", "toolspec.lock.json", ".toolspec")


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "generated"


def to_file(outside: Path) -> Path:
    return outside / "file.txt"


def to_folder(outside: Path) -> Path:
    return outside / "folder"


def to_nothing(outside: Path) -> Path:
    return outside / "nothing"


def to_itself(outside: Path) -> Path:
    del outside
    return Path("loop")


@pytest.mark.parametrize("location", LOCATIONS)
@pytest.mark.parametrize("target", [to_file, to_folder, to_nothing, to_itself])
@pytest.mark.parametrize("is_standing", [False, True], ids=["new", "standing"])
def test_links_are_never_followed(
    out: Path, tmp_path: Path, location: str, target: Callable[[Path], Path], is_standing: bool
) -> None:
    outside = tmp_path / "outside"
    (outside / "folder").mkdir(parents=True)
    (outside / "file.txt").write_text("mine")
    (outside / "folder" / "c.py").write_text("mine")
    if is_standing:
        made(out, emission(a_py="old\n", b__c_py="old\n", b__d__e_py="old\n"))
    link = out / location
    link.parent.mkdir(parents=True, exist_ok=True)
    if link.exists():
        link.rename(tmp_path / "moved")
    link.symlink_to(target(outside).with_name("loop") if target is to_itself else target(outside))
    if target is to_itself:
        (outside / "loop").symlink_to("loop")
    before, around = snapshot(out), snapshot(outside)
    assert made(out, FILES) == ("output/symbolic-link",)
    assert snapshot(out) == before
    assert snapshot(outside) == around
    assert link.is_symlink()


def test_the_output_folder_itself_may_be_a_link(out: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    out.symlink_to("elsewhere")
    assert made(out, FILES) == ()
    assert (tmp_path / "elsewhere" / "a.py").read_text() == "a\n"


def folder(path: Path) -> None:
    path.mkdir()


def pipe(path: Path) -> None:
    os.mkfifo(path)


def listener(path: Path) -> None:
    here = Path.cwd()
    os.chdir(path.parent)  # the name of a socket is short
    with socket.socket(socket.AF_UNIX) as at:
        at.bind(path.name)
    os.chdir(here)


@pytest.mark.parametrize("location", ["a.py", "b/c.py", "toolspec.lock.json"])
@pytest.mark.parametrize("make", [folder, pipe, listener])
def test_what_is_no_file(out: Path, location: str, make: Callable[[Path], None]) -> None:
    (out / location).parent.mkdir(parents=True)
    make(out / location)
    assert made(out, FILES) == ("output/unwritable",)
    assert snapshot(out) == {}
    assert not (out / ".toolspec").exists()


@pytest.mark.parametrize("location", [".", "b", "b/d", ".toolspec"])
def test_a_file_where_a_folder_belongs(out: Path, location: str) -> None:
    (out / location).parent.mkdir(parents=True, exist_ok=True)
    (out / location).write_text("mine")
    assert made(out, FILES) == ("output/unwritable",)
    assert (out / location).read_text() == "mine"


@pytest.mark.parametrize("location", ["a.py", "b/c.py", "toolspec.lock.json", "b", "b/d"])
def test_what_is_read_only(out: Path, location: str) -> None:
    made(out, FILES)
    (out / location).chmod(0o500)
    before = snapshot(out)
    changed = emission(a_py="A\n", b__c_py="C\n", b__new_py="N\n", b__d__e_py="E\n")
    assert made(out, changed) == ("output/unwritable",)
    assert snapshot(out) == before
    (out / location).chmod(0o700)
    assert made(out, changed) == ()


def test_a_read_only_folder_where_only_a_removal_is_due(out: Path) -> None:
    made(out, emission(a_py="a\n", b__c_py="c\n"))
    (out / "b").chmod(0o500)
    before = snapshot(out)
    assert made(out, emission(a_py="A\n")) == ("output/unwritable",)
    assert snapshot(out) == before
    (out / "b").chmod(0o700)


def test_a_hard_link_is_replaced_and_its_other_name_left_alone(out: Path, tmp_path: Path) -> None:
    made(out, emission(a_py="a\n"))
    (tmp_path / "other").hardlink_to(out / "a.py")
    assert made(out, emission(a_py="A\n")) == ()
    assert (tmp_path / "other").read_text() == "a\n"


@pytest.mark.parametrize("twin", ["A.py", "B/x.py", "b/C.PY", "b/D/x.py", "ａ.py"])
def test_a_name_that_differs_in_case_only(out: Path, twin: str) -> None:
    (out / twin).parent.mkdir(parents=True)
    (out / twin).write_text("mine")
    assert made(out, FILES) == ("output/case-twin",)
    assert snapshot(out) == {twin: b"mine"}


@pytest.mark.parametrize(
    "path",
    [
        *("../a.py", "/a.py", "b/../../a.py", "b//c.py", "", ".", "./a.py", "b/", "b\\c.py"),
        *("c:/a.py", "a.py:stream", "a\n.py", "a\x00.py", ".toolspec/lock", ".TOOLSPEC/x"),
        *("a" * 256, "\ud800.py", "b/\u202e.py"),
    ],
)
def test_a_path_that_leaves_the_folder(path: str) -> None:
    (found,) = check_paths(files_of([Emission("bad", (Artifact(path, ""),))]))
    assert found.code == "output/outside-folder"


@pytest.mark.parametrize(
    "path",
    ["con", "docs/NUL.md", "aux.tar.gz", "com1 .txt", "LPT³", "x/CONIN$", "a./b", "a ", "b."],
)
def test_a_name_that_windows_reserves(path: str) -> None:
    (found,) = check_paths(files_of([Emission("bad", (Artifact(path, ""),))]))
    assert found.code == "output/reserved-name"


@pytest.mark.parametrize("path", ["console.py", "com.md", "com10", "nul_.md", ".hidden", "a b.md"])
def test_a_name_that_is_fine(path: str) -> None:
    assert not check_paths(files_of([Emission("good", (Artifact(path, ""),))]))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(("a.py", "a.py"), ("a.py", "A.py"), ("ﬁ.py", "fi.py"), ("straße", "STRASSE")),
        *(("a", "a/b.py"), ("a/b.py", "A"), ("a/b", "A/b/c")),
    ],
)
def test_two_artifacts_of_one_name(one: str, other: str) -> None:
    found = check_paths(files_of([Emission("x", (Artifact(one, ""), Artifact(other, "")))]))
    assert [each.code for each in found] == ["output/path-clash"]


def test_no_artifact_is_the_lock() -> None:
    (found,) = check_paths(files_of([Emission("x", (Artifact("Toolspec.lock.json", ""),))]))
    assert found.code == "output/path-clash"
