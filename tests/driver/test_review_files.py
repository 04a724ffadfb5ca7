"""`toolspec init` in folders and repositories: the lines of `.gitattributes` and `CODEOWNERS`."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

from forkserver import toolspec

if TYPE_CHECKING:
    from pathlib import Path

TOOLSPEC = toolspec()
ATTRIBUTES = "generated/** linguist-generated\n"


def init(folder: Path, to: str = ".") -> str:
    command = [str(TOOLSPEC), "init", to]
    done = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)
    assert (done.stderr, done.returncode) == ("", 0)
    return done.stdout


def test_a_new_project_has_both_files(tmp_path: Path) -> None:
    out = init(tmp_path, "demo")
    assert "wrote demo/.github/CODEOWNERS\n" in out
    assert (tmp_path / "demo/.gitattributes").read_text() == ATTRIBUTES
    owners = (tmp_path / "demo/.github/CODEOWNERS").read_text()
    assert owners == "/toolspec.contract.json @your-team\n"


def test_existing_files_get_a_line_once(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitattributes").write_text("*.png binary")
    (tmp_path / "CODEOWNERS").write_text("* @me @org/tools # all\n")
    init(tmp_path)
    assert (tmp_path / ".gitattributes").read_text() == f"*.png binary\n{ATTRIBUTES}"
    owners = "* @me @org/tools # all\n/toolspec.contract.json @me @org/tools\n"
    assert (tmp_path / "CODEOWNERS").read_text() == owners
    assert not (tmp_path / ".github").exists()


def test_what_is_there_already_stays(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitattributes").write_text("/generated/** -diff\n")
    (tmp_path / ".github").mkdir()
    (tmp_path / ".github/CODEOWNERS").write_text("toolspec.contract.json @api\n")
    before = [
        each.read_bytes() for each in (tmp_path / ".gitattributes", tmp_path / ".github/CODEOWNERS")
    ]
    assert "CODEOWNERS" not in init(tmp_path)
    after = [
        each.read_bytes() for each in (tmp_path / ".gitattributes", tmp_path / ".github/CODEOWNERS")
    ]
    assert after == before


def test_a_project_in_a_folder_of_a_repository_writes_nothing_outside(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "CODEOWNERS").write_text("* @me\n")
    out = init(tmp_path, "tools/demo")
    line = "/tools/demo/toolspec.contract.json @your-team"
    assert f"add to the CODEOWNERS of the repository: {line}\n" in out
    assert (tmp_path / "CODEOWNERS").read_text() == "* @me\n"
    assert not (tmp_path / "tools/demo/.github").exists()


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "outside").write_text("")
    (tmp_path / "demo").mkdir()
    (tmp_path / "demo/.gitattributes").symlink_to(tmp_path / "outside")
    init(tmp_path, "demo")
    assert (tmp_path / "outside").read_text() == ""
