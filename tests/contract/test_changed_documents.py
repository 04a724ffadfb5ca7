"""Documents that a comparison with a revision leaves out: none that differs, or that reads what differs."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from small_spec import SPEC
from test_revisions import commit, diff, git
from toolspec.driver.contract.unchanged import is_unchanged

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

OTHER = SPEC.replace("demo", "other")
INCLUDING = "include: [parts/*.yaml]\n"
MORE = """tools:
  - name: pong
    description: Answer a second call.
    mutation: false
    outputSchema: {type: string}
"""
REFERRING = SPEC.replace("{type: string}", "{$ref: ../shared/answer.yaml}")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch=main")
    commit(folder, specs__demo_yaml=SPEC, specs__other_yaml=OTHER, notes_json="{}\n")
    return folder


def changes(folder: Path, *arguments: str) -> str:
    done = diff(folder, "--against", "HEAD", *arguments)
    assert not done.stderr
    return done.stdout


def replace(path: Path, old: str, new: str) -> None:
    """Replace a text in a file that keeps its times, which prove nothing."""
    status = path.stat()
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def test_a_comparison_without_a_difference_loads_neither_application_nor_compiler(
    repository: Path,
) -> None:
    (repository / "notes.json").write_text("[]\n")  # no document of the project reads it
    program = (
        "import sys; from toolspec.cli.fast_path import answer; status = answer();"
        "print(status, [name for name in sys.modules if name in ('typer', 'subprocess', 're')"
        " or name.startswith(('toolspec.driver.contract.s', 'toolspec.changes', 'toolspec.ir'))])"
    )
    words = ["-I", "-S", "-c", f"import sys; sys.path = {sys.path}; {program}"]
    done = subprocess.run(
        [sys.executable, *words, "diff", "--against", "HEAD"],
        cwd=repository,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "no changes\n0 []\n"
    assert changes(repository) == "no changes\n"
    assert '"changes":[]' in changes(repository, "--format", "json").replace(" ", "")


def test_a_new_name_is_compared_with_documents_that_are_the_same(repository: Path) -> None:
    """The answer is that of a comparison of the whole folders."""
    (repository / "specs/copy.yaml").write_text(SPEC)
    shown, whole = diff(repository, "--against", "HEAD"), diff(repository, "HEAD", ".")
    assert (shown.stdout, shown.returncode) == (whole.stdout, whole.returncode)
    assert shown.returncode
    assert "not compared, since it does not compile: demo" in shown.stdout
    assert "tool/added" not in shown.stdout


def edit(repository: Path) -> None:
    replace(repository / "specs/demo.yaml", "type: string", "type: number")


def remove(repository: Path) -> None:
    (repository / "specs/other.yaml").unlink()


def add(repository: Path) -> None:
    (repository / ".gitignore").write_text("*.yml\n")
    (repository / "specs/third.yml").write_text(SPEC.replace("demo", "third"))


def rename(repository: Path) -> None:
    replace(repository / "specs/other.yaml", "other", "third")
    (repository / "specs/other.yaml").rename(repository / "specs/third.yaml")


def configure(repository: Path) -> None:
    (repository / "toolspec.toml").write_text('separator = "."\n')


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (edit, "result/type-changed"),
        (remove, "tool/removed"),
        (add, "tool/near-duplicate"),
        (rename, "lifecycle/service-renamed"),
        (configure, "tool/"),
    ],
)
def test_a_difference_is_found(repository: Path, change: Callable[[Path], None], code: str) -> None:
    change(repository)
    assert not is_unchanged("HEAD", str(repository))
    assert f"[{code}" in changes(repository)
    commit(repository)
    assert is_unchanged("HEAD", str(repository)) is (change is not add)  # git ignores that one
    assert is_unchanged("HEAD~1", str(repository)) is False


def test_a_difference_in_an_included_file_is_one(repository: Path) -> None:
    commit(repository, specs__demo_yaml=SPEC + INCLUDING, specs__parts__more_yaml=MORE)
    assert is_unchanged("HEAD", str(repository))
    replace(repository / "specs/parts/more.yaml", "mutation: false", "mutation: true ")
    assert "pong" in changes(repository)
    git(repository, "checkout", "--quiet", ".")
    (repository / "specs/parts/third.yaml").write_text(MORE.replace("pong", "third"))
    assert "third" in changes(repository)


def test_a_difference_in_a_referenced_file_is_one(repository: Path) -> None:
    commit(repository, specs__demo_yaml=REFERRING, shared__answer_yaml="type: string\n")
    assert is_unchanged("HEAD", str(repository))
    replace(repository / "shared/answer.yaml", "string", "number")
    assert not is_unchanged("HEAD", str(repository))
    assert "result/type-changed" in changes(repository)


def test_a_file_of_the_same_name_elsewhere_is_no_difference(repository: Path) -> None:
    (repository / "other").mkdir()
    (repository / "other/demo.yaml").write_text("changed: true\n")
    assert is_unchanged("HEAD", str(repository))


def test_no_filter_of_git_hides_a_difference(repository: Path) -> None:
    (repository / ".gitattributes").write_text("*.yaml text eol=crlf\n")
    commit(repository)
    text = SPEC.replace("\n", "\r\n").encode()
    (repository / "specs/demo.yaml").write_bytes(text)
    git(repository, "add", "--renormalize", ".")
    assert git(repository, "status", "--porcelain") == ""
    assert not is_unchanged("HEAD", str(repository))
    assert changes(repository) == "no changes\n"  # compiled, they are the same
    (repository / "specs/demo.yaml").write_bytes(text.replace(b"type: string", b"type: number"))
    assert "result/type-changed" in changes(repository)


def test_a_link_is_never_unchanged(repository: Path) -> None:
    path = repository / "specs/other.yaml"
    path.rename(repository / "other.yaml")
    path.symlink_to("../other.yaml")
    assert not is_unchanged("HEAD", str(repository))
    commit(repository)
    assert not is_unchanged("HEAD", str(repository))
    assert changes(repository) == "no changes\n"


def test_a_folder_below_the_top_of_the_repository(repository: Path) -> None:
    commit(
        repository,
        api__specs__demo_yaml=SPEC.replace("demo", "third"),
        api__toolspec_toml='specs = ["specs"]\n',
    )
    assert is_unchanged("HEAD", str(repository / "api"))
    edit(repository)
    assert is_unchanged("HEAD", str(repository / "api"))
    assert changes(repository / "api") == "no changes\n"
    edit(repository / "api")
    assert "result/type-changed" in changes(repository / "api")


def test_a_configuration_above_the_repository_is_a_difference(repository: Path) -> None:
    assert is_unchanged("HEAD", str(repository))
    (repository.parent / "toolspec.toml").write_text('separator = "."\n')
    assert not is_unchanged("HEAD", str(repository))


@pytest.mark.parametrize("settings", ['specs = ["../other"]', 'specs = ["/other"]'])
def test_documents_outside_the_repository_are_compared(repository: Path, settings: str) -> None:
    commit(repository, toolspec_toml=f"{settings}\n")
    assert not is_unchanged("HEAD", str(repository))


def test_names_of_blobs_may_be_longer(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "--object-format=sha256")
    commit(tmp_path, specs__demo_yaml=SPEC)
    assert is_unchanged("HEAD", str(tmp_path))
    edit(tmp_path)
    assert not is_unchanged("HEAD", str(tmp_path))


@pytest.mark.parametrize("revision", ["--all", "none", "HEAD:specs", ""])
def test_what_is_no_revision_is_left_to_the_command(repository: Path, revision: str) -> None:
    assert not is_unchanged(revision, str(repository))
    assert diff(repository, "--against", revision).returncode == 2
