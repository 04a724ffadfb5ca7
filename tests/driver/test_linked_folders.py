"""Folders of documents that are links, lead in circles, or cannot be listed."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from small_spec import SPEC
from toolspec.driver.build import Request, check, compile_specs
from toolspec.driver.formatting import format_documents
from toolspec.driver.incremental import fingerprints, last_compile
from toolspec.driver.incremental.store_last_compile import store_output

if TYPE_CHECKING:
    from toolspec.diagnostics import Checked
    from toolspec.driver.build import Build

EVERYTHING = 'specs = ["specs/**/*.yaml"]\n'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project with a service of its own and one in `specs/team`, both compiled."""
    root = tmp_path / "project"
    (root / "specs" / "team").mkdir(parents=True)
    (root / "toolspec.toml").touch()
    put(root / "specs" / "demo.yaml")
    put(root / "specs" / "team" / "other.yaml")
    assert compile_specs(Request(folder=root)).ok
    assert (root / "generated" / "other").is_dir()
    return root


def put(path: Path) -> None:
    path.write_text(SPEC.replace("demo", path.stem))


def share(root: Path) -> None:
    """Move `specs/team` out of the folder of documents, and leave a link to it."""
    (root / "specs" / "team").rename(root / "shared")
    (root / "specs" / "team").symlink_to("../shared")


def errors(checked: Checked[Build]) -> list[tuple[str, str]]:
    return [
        (diagnostic.code, diagnostic.message)
        for diagnostic in checked.diagnostics
        if diagnostic.severity == "error"
    ]


def lock(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Make a folder one that cannot be listed, for root too."""
    listed = os.scandir

    def scandir(path: Any = ".") -> Any:
        if str(path) == str(folder):
            raise PermissionError(13, "Permission denied", str(path))
        return listed(path)

    monkeypatch.setattr(os, "scandir", scandir)


@pytest.mark.parametrize("config", ["", EVERYTHING])
def test_a_linked_folder_of_the_project_is_searched(project: Path, config: str) -> None:
    (project / "toolspec.toml").write_text(config)
    share(project)
    done = compile_specs(Request(folder=project))
    assert done.ok
    assert done.value.documents == ("specs/demo.yaml", "specs/team/other.yaml")
    assert (project / "generated" / "other").is_dir()


@pytest.mark.parametrize("config", ["", EVERYTHING])
def test_a_change_in_a_linked_folder_is_noticed(project: Path, config: str) -> None:
    (project / "toolspec.toml").write_text(config)
    share(project)
    (project / "shared" / "inner").mkdir()

    def is_unchanged() -> bool:
        return last_compile.load_record(str(project), "key") is not None

    for name in ("third.yaml", "inner/fourth.yaml"):
        time.sleep(2 * fingerprints.FINE_TICK / 1e9)  # the times of a new file prove nothing
        done = compile_specs(Request(folder=project))
        assert done.ok
        store_output(done.value, "key", 0, "")
        assert is_unchanged()
        put(project / "shared" / name)
        assert not is_unchanged()


@pytest.mark.parametrize("config", ["", EVERYTHING, 'specs = ["shared", "specs", "specs/team"]'])
def test_each_folder_is_searched_once_by_its_own_name_if_it_has_one_here(
    project: Path, config: str
) -> None:
    (project / "toolspec.toml").write_text(config)
    specs = project / "specs"
    (specs / "again").symlink_to("team")
    (specs / "itself").symlink_to(".")
    (specs / "team" / "up").symlink_to("..")
    shared = project / "shared"
    shared.mkdir()
    put(shared / "third.yaml")
    (specs / "third").symlink_to("../shared")
    (specs / "team" / "third").symlink_to("../../shared")
    done = check(Request(folder=project))
    assert not errors(done)
    third = "shared/third.yaml" if "shared" in config else "specs/third/third.yaml"
    documents = sorted((third, "specs/demo.yaml", "specs/team/other.yaml"))
    assert list(done.value.documents) == documents


def test_a_link_to_a_folder_above_leaves_out_what_is_no_document(project: Path) -> None:
    (project / "specs" / "up").symlink_to("..")
    (project / "specs" / "output").symlink_to("../generated")
    (project / "specs" / ".hidden").symlink_to("../nowhere")
    done = check(Request(folder=project))
    assert not errors(done)
    assert done.value.documents == ("specs/demo.yaml", "specs/team/other.yaml")


def test_a_link_to_an_output_that_is_not_made_yet_is_left_out(project: Path) -> None:
    (project / "toolspec.toml").write_text('out = "later"\n')
    (project / "specs" / "output").symlink_to("../later")
    (project / "generated").rename(project / "before")
    assert compile_specs(Request(folder=project)).ok
    assert compile_specs(Request(folder=project)).ok


def test_a_linked_folder_outside_the_project_is_an_error(project: Path) -> None:
    (project / "specs" / "team").rename(project.parent / "shared")
    (project / "specs" / "team").symlink_to("../../shared")
    done = compile_specs(Request(folder=project))
    message = "`specs/team` is a link to a folder outside the project"
    assert errors(done) == [("project/outside-link", message)]
    assert (project / "generated" / "other").is_dir()
    assert not errors(check(Request(folder=project, paths=("specs/team",))))


def test_a_link_that_leads_nowhere_is_an_error(project: Path) -> None:
    share(project)
    (project / "shared").rename(project / "elsewhere")
    done = compile_specs(Request(folder=project))
    message = "`specs/team` cannot be read: it is a link that leads nowhere"
    assert errors(done) == [("project/unreadable-file", message)]
    assert (project / "generated" / "other").is_dir()


@pytest.mark.parametrize("config", ["", EVERYTHING])
@pytest.mark.parametrize("target", ["../moved.yaml", "other.yaml"])
def test_a_document_that_is_a_link_to_nothing_is_an_error(
    project: Path, target: str, config: str
) -> None:
    (project / "toolspec.toml").write_text(config)
    link = project / "specs" / "team" / "other.yaml"
    link.unlink()
    link.symlink_to(target)
    message = "`specs/team/other.yaml` cannot be read: it is a link that leads nowhere"
    assert errors(compile_specs(Request(folder=project))) == [("project/unreadable-file", message)]
    (diagnostic,) = format_documents(Request(folder=project), write=False).diagnostics
    assert diagnostic.message == message


@pytest.mark.parametrize("config", ["", EVERYTHING])
@pytest.mark.parametrize("name", ["specs/team", "specs"])
def test_a_folder_that_cannot_be_listed_is_an_error(
    project: Path, monkeypatch: pytest.MonkeyPatch, name: str, config: str
) -> None:
    (project / "toolspec.toml").write_text(config)
    lock(monkeypatch, project / name)
    done = compile_specs(Request(folder=project))
    message = f"the folder `{name}` cannot be listed: Permission denied"
    assert errors(done) == [("project/unreadable-folder", message)]
    assert (project / "generated" / "other").is_dir()


def test_a_folder_that_no_document_can_match_may_be_closed(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "toolspec.toml").write_text('specs = ["specs/*.yaml", "specs/t*/*.yaml"]\n')
    (project / "specs" / "closed").mkdir()
    lock(monkeypatch, project / "specs" / "closed")
    assert not errors(check(Request(folder=project)))


def test_a_folder_of_included_files_that_cannot_be_listed_is_an_error(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    demo = project / "specs" / "demo.yaml"
    demo.write_text(f"{demo.read_text()}include: [parts/**/*.yaml]\n")
    tools = "".join(SPEC.partition("tools:\n")[1:]).replace("ping", "pong")
    parts = project / "specs" / "parts"
    (parts / "more").mkdir(parents=True)
    (parts / "one.yaml").write_text(tools)
    assert compile_specs(Request(folder=project)).ok
    lock(monkeypatch, parts / "more")
    done = compile_specs(Request(folder=project))
    message = "the folder `specs/parts/more` cannot be listed: Permission denied"
    assert ("project/unreadable-folder", message) in errors(done)
    lock(monkeypatch, parts)
    message = "the folder `specs/parts` cannot be listed: Permission denied"
    assert ("project/unreadable-folder", message) in errors(check(Request(folder=project)))
