"""`toolspec diff --against`: versions in a git repository, which nothing checks out."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from forkserver import toolspec
from small_spec import SPEC
from toolspec.driver.contract.revisions import copied_revision

ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@b.example",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@b.example",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}
PART = SPEC.replace("{type: string}", "{$ref: parts/answer.yaml}")


def git(folder: Path, *arguments: str, data: bytes = b"") -> str:
    done = subprocess.run(
        ["git", *arguments],
        cwd=folder,
        env=ENVIRONMENT,
        check=True,
        capture_output=True,
        input=data,
    )
    return done.stdout.decode().strip()


def diff(folder: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    command = [toolspec(), "diff", *arguments]
    environment = {**os.environ, **more}
    return subprocess.run(
        command, cwd=folder, env=environment, check=False, capture_output=True, text=True
    )


def commit(folder: Path, **files: str) -> None:
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message=change")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch=main")
    commit(folder, specs__demo_yaml=PART, specs__parts__answer_yaml="type: string\n")
    git(folder, "tag", "v1")
    return folder


@pytest.mark.prove
def test_documents_of_a_submodule_are_not_new(repository: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "--quiet", "--initial-branch=main")
    commit(other, api__other_yaml=SPEC.replace("demo", "other"))
    allowed = ("-c", "protocol.file.allow=always")
    git(repository, *allowed, "submodule", "--quiet", "add", str(other), "vendor")
    git(repository, *allowed, "submodule", "--quiet", "add", str(other), "specs/more")
    git(repository, "commit", "--quiet", "--message=submodules")
    done = diff(repository, "--against", "HEAD~")
    assert "`other_ping` is new" in done.stdout  # the revision has no submodule
    edited = repository / "specs/more/api/other.yaml"
    edited.write_text(edited.read_text().replace("type: string", "type: number"))
    done = diff(repository, "--against", "HEAD")
    assert "error[project/revision-submodule] `specs/more` of `HEAD` is a submodule" in done.stdout
    assert done.returncode == 2
    (repository / "toolspec.toml").write_text('specs = ["vendor/api"]\n')
    commit(repository)
    done = diff(repository, "--against", "HEAD")
    edited = repository / "vendor/api/other.yaml"
    edited.write_text(edited.read_text().replace("type: string", "type: number"))
    done = diff(repository, "--against", "HEAD")
    assert "`vendor` of `HEAD` is a submodule" in done.stdout
    assert "result/type-changed" in diff(repository / "vendor/api", "--against", "HEAD").stdout


def test_the_revision_has_its_own_parts_and_configuration(repository: Path) -> None:
    (repository / "specs").rename(repository / "api")
    (repository / "api" / "parts" / "answer.yaml").write_text("type: integer\n")
    commit(repository, toolspec_toml='specs = ["api"]\nseparator = "."\n')
    done = diff(repository, "--against", "v1")
    assert done.stderr == ""
    assert done.returncode == 1
    assert "break[tool/renamed]" in done.stdout
    assert "break[result/type-changed]" in done.stdout
    assert "in: api/demo.yaml:7, was specs/demo.yaml:7 at v1\n" in done.stdout
    (repository / "toolspec.toml").write_text('specs = ["api"]\n')
    done = diff(repository, "--against", "v1")
    assert "break[result/type-changed]" in done.stdout
    assert "in: api/parts/answer.yaml:1, was specs/parts/answer.yaml:1 at v1" in done.stdout
    assert git(repository, "status", "--porcelain") == "M toolspec.toml"


def test_revisions_are_versions_too_and_paths_go_first(repository: Path) -> None:
    commit(repository, specs__parts__answer_yaml="type: integer\n")
    assert "result/type-changed" in diff(repository, "v1", "main").stdout
    assert "result/type-changed" in diff(repository, "v1", ".").stdout
    assert diff(repository, "main", "HEAD").stdout == "no changes\n"
    (repository / "v1").mkdir()
    assert "project/no-specs" in diff(repository, "v1", "main").stdout


def test_a_folder_inside_the_repository(repository: Path) -> None:
    commit(repository, specs__parts__answer_yaml="type: integer\n")
    assert "result/type-changed" in diff(repository / "specs", "--against", "v1").stdout
    assert "result/type-changed" in diff(repository, "specs", "--against", "v1").stdout


def test_a_project_that_was_not_there_is_new(repository: Path) -> None:
    commit(repository, sub__toolspec_toml="", sub__specs__demo_yaml=SPEC)
    done = diff(repository / "sub", "--against", "v1", "--format", "short")
    assert (done.stdout, done.returncode) == ("note[tool/added] `demo_ping` is new\n1 note\n", 0)


def test_no_configuration_is_taken_from_outside_the_repository(repository: Path) -> None:
    (repository.parent / "toolspec.toml").write_text('separator = "."\n')
    done = diff(repository, "v1", "HEAD")
    assert done.stdout == "no changes\n"


def test_a_broken_revision(repository: Path) -> None:
    commit(repository, specs__demo_yaml="tools: [")
    done = diff(repository, "v1", "HEAD")
    assert done.returncode == 2
    assert "error[syntax/" in done.stdout
    assert "nothing to compare in HEAD" in done.stderr


def test_an_unknown_revision_names_the_fetch(repository: Path) -> None:
    done = diff(repository, "--against", "origin/main")
    assert done.returncode == 2
    assert (
        "error[project/missing-revision] the repository has no revision `origin/main`"
        in done.stdout
    )
    assert "`git fetch origin main`" in done.stdout
    assert "project/missing-revision" in diff(repository, "--against", "--output=x").stdout
    assert not (repository / "x").exists()


def test_a_shallow_clone_is_named(repository: Path) -> None:
    commit(repository, specs__parts__answer_yaml="type: integer\n")
    clone = repository.parent / "clone"
    git(repository.parent, "clone", "--quiet", "--depth=1", f"file://{repository}", "clone")
    done = diff(clone, "--against", "HEAD~1")
    assert "`HEAD~1`: this is a shallow clone" in done.stdout
    assert "`git fetch --unshallow`" in done.stdout


def without(repository: Path, name: str) -> None:
    """Remove an object, as a partial clone lacks it."""
    found = git(repository, "rev-parse", name)
    (repository / ".git" / "objects" / found[:2] / found[2:]).unlink()


@pytest.mark.parametrize("name", ["specs/demo.yaml", "specs/parts/answer.yaml"])
def test_a_document_that_the_clone_lacks_is_no_new_tool(repository: Path, name: str) -> None:
    commit(repository, specs__demo_yaml=SPEC, specs__parts__answer_yaml="type: integer\n")
    without(repository, f"v1:{name}")
    done = diff(repository, "--against", "v1")
    assert done.returncode == 2
    assert (
        f"[project/missing-object] the repository has no content of `{name}` at `v1`" in done.stdout
    )
    assert "`git fetch --refetch --no-filter`" in done.stdout
    assert done.stderr == "toolspec: nothing to compare in v1\n"


def test_a_link_out_of_the_repository_is_no_removed_tool(repository: Path) -> None:
    (repository / "specs" / "other.yaml").symlink_to("/nowhere/other.yaml")
    (repository / "notes.yaml").symlink_to("/nowhere/notes.yaml")
    commit(repository)
    done = diff(repository, "v1", "HEAD")
    assert done.returncode == 2
    assert "`specs/other.yaml` of `HEAD` is a link out of the repository" in done.stdout
    assert "notes.yaml" not in done.stdout


def test_other_files_that_the_clone_lacks_are_not_missed(repository: Path) -> None:
    commit(repository, specs__demo_yaml=SPEC, notes_yaml="a: 1\n")
    without(repository, "HEAD:notes.yaml")
    done = diff(repository, "v1", "HEAD")
    assert done.returncode == 0
    assert "notes.yaml" not in done.stdout


def test_a_folder_that_the_clone_lacks(repository: Path) -> None:
    commit(repository, specs__demo_yaml=SPEC)
    without(repository, "v1:specs")
    done = diff(repository, "--against", "v1")
    assert done.returncode == 2
    assert "error[project/missing-repository] `v1` cannot be read here" in done.stdout


def test_no_repository(tmp_path: Path) -> None:
    done = diff(tmp_path, "--against", "main", GIT_CEILING_DIRECTORIES=str(tmp_path.parent))
    assert done.returncode == 2
    assert "error[project/missing-repository]" in done.stdout
    done = diff(tmp_path, "--against", "main", PATH=str(tmp_path))
    assert "error[project/missing-git]" in done.stdout


def test_nothing_that_the_repository_or_the_environment_names_is_run(repository: Path) -> None:
    program = repository.parent / "program"
    program.write_text(f"#!/bin/sh\ntouch {repository.parent}/ran\n")
    program.chmod(0o755)
    for name in (
        "core.fsmonitor",
        "core.pager",
        "diff.x.textconv",
        "filter.x.smudge",
        "core.sshCommand",
    ):
        git(repository, "config", name, str(program))
    for hook in ("post-checkout", "reference-transaction", "pre-commit"):
        path = repository / ".git" / "hooks" / hook
        path.parent.mkdir(exist_ok=True)
        path.write_text(program.read_text())
        path.chmod(0o755)
    (repository / ".gitattributes").write_text("*.yaml filter=x diff=x\n")
    variables = ("GIT_PAGER", "GIT_EXTERNAL_DIFF", "GIT_SSH_COMMAND", "GIT_ASKPASS", "GIT_EDITOR")
    trace = repository.parent / "trace"
    done = diff(
        repository,
        "--against",
        "v1",
        GIT_TRACE=str(trace),
        **dict.fromkeys(variables, str(program)),
    )
    assert done.stdout == "no changes\n"
    assert not (repository.parent / "ran").exists()
    assert not trace.exists()


def tree(repository: Path, *entries: tuple[str, str, str]) -> str:
    """Return a tree; each entry is a mode, a name, and a content or the name of a tree."""
    lines = []
    for mode, name, content in entries:
        kind = "tree" if mode == "040000" else "blob"
        of = content
        if kind == "blob":
            of = git(repository, "hash-object", "-w", "--stdin", data=content.encode())
        lines.append(f"{mode} {kind} {of}\t{name}")
    return git(repository, "mktree", data="\n".join([*lines, ""]).encode())


def test_links_out_of_the_repository_are_refused(repository: Path) -> None:
    secret = repository.parent / "secret.yaml"
    secret.write_text(SPEC.replace("demo", "secret"))
    (repository / "specs" / "absolute.yaml").symlink_to(secret)
    (repository / "specs" / "relative.yaml").symlink_to("../../secret.yaml")
    (repository / "specs" / "inside.yaml").symlink_to("parts/answer.yaml")
    (repository / "specs" / "up").symlink_to("..")
    (repository / "specs" / "chained.yaml").symlink_to("up/../secret.yaml")
    commit(repository)
    with copied_revision("HEAD", repository) as copied:
        folder = copied.value
        assert folder is not None
        top = folder.parent
        specs = folder / "specs"
        assert {path.name for path in specs.iterdir()} == {
            "demo.yaml",
            "parts",
            "inside.yaml",
            "up",
        }
        assert (specs / "inside.yaml").read_text() == "type: string\n"
        refused = [diagnostic.message for diagnostic in copied.diagnostics]
        assert len(refused) == 3
        assert all("is a link out of the repository" in message for message in refused)
    assert not top.exists()


def test_no_file_of_a_crafted_tree_is_written_outside(repository: Path) -> None:
    outside = repository.parent / "outside"
    outside.mkdir()
    inner = tree(repository, ("100644", "evil.yaml", SPEC))
    specs = tree(
        repository,
        ("120000", "link", str(outside)),
        ("040000", "link", inner),
        ("120000", "toolspec.toml", str(outside)),
    )
    top = tree(repository, ("040000", "specs", specs))
    made = git(repository, "commit-tree", "-m", "crafted", top)
    with copied_revision(made, repository) as copied:
        assert copied.value is not None
        assert not (copied.value / "specs" / "link").is_symlink()
    assert not list(outside.iterdir())
