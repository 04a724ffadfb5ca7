"""The hooks that other projects use, in a real git repository with a real pre-commit."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from ruamel.yaml import YAML
from small_spec import SPEC

BIN = Path(sys.executable).parent
UNTIDY = """toolspec: 1
service:
    # of this year
    version:   1.0.0
    description: A demo service.
    name: demo
tools:
  - name: ping
    mutation: false
    description: Answer a call with the time at which the service started.
    outputSchema: {type: string}
"""
CONFIGURATION = """repos:
  - repo: {repository}
    rev: {revision}
    hooks: [{hooks}]
"""


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """One cache for all, so that the environment of the hooks is made once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PRE_COMMIT_HOME", str(tmp_path_factory.mktemp("cache")))
        for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"):
            patch.delenv(name, raising=False)
        for name in ("AUTHOR", "COMMITTER"):
            patch.setenv(f"GIT_{name}_NAME", "A")
            patch.setenv(f"GIT_{name}_EMAIL", "a@example.com")
        yield


def run(*command: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def done(*command: str | Path, folder: Path) -> str:
    finished = run(*command, folder=folder)
    assert finished.returncode == 0, finished.stdout + finished.stderr
    return finished.stdout


def commit(folder: Path) -> subprocess.CompletedProcess[str]:
    """Commit all that is in a repository, as a person does, through its hooks."""
    done("git", "add", "-A", folder=folder)
    return run("git", "commit", "-m", "Change", folder=folder)


@pytest.fixture(scope="module")
def hooks(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources of this checkout as a repository of hooks, committed or not."""
    folder = tmp_path_factory.mktemp("hooks") / "toolspec"
    parts = (
        "compiler",
        "schemas",
        "pyproject.toml",
        "README.md",
        "LICENSE",
        ".pre-commit-hooks.yaml",
    )
    for part in parts:
        source = repository / part
        (folder / part).parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / part)
    done("git", "init", "-q", folder=folder)
    assert commit(folder).returncode == 0
    return folder


def project_with(hooks: Path, folder: Path, *wanted: str, specs: dict[str, str]) -> Path:
    """Return a project that commits through some hooks, its first commit made."""
    (folder / "specs").mkdir(parents=True)
    for name, text in specs.items():
        (folder / "specs" / name).write_text(text)
    revision = done("git", "rev-parse", "HEAD", folder=hooks).strip()
    entries = ", ".join(f"{{id: {each}}}" for each in wanted)
    configuration = CONFIGURATION.format(repository=hooks, revision=revision, hooks=entries)
    (folder / ".pre-commit-config.yaml").write_text(configuration)
    done("git", "init", "-q", folder=folder)
    done(BIN / "pre-commit", "install", folder=folder)
    return folder


def test_our_files_are_what_pre_commit_expects(repository: Path) -> None:
    for verb, file in (
        ("validate-config", ".pre-commit-config.yaml"),
        ("validate-manifest", ".pre-commit-hooks.yaml"),
    ):
        done(BIN / "pre-commit", verb, repository / file, folder=repository)


def test_the_docs_name_the_hooks_there_are(repository: Path) -> None:
    named = re.findall(r"- id: (toolspec-[a-z]+)", (repository / "docs" / "ci.md").read_text())
    offered = YAML(typ="safe").load(repository / ".pre-commit-hooks.yaml")
    assert sorted(named) == sorted(each["id"] for each in offered)


@pytest.mark.prove
def test_one_bad_spec_of_fifty_stops_a_commit(hooks: Path, tmp_path: Path) -> None:
    specs = {f"s{each}.yaml": SPEC.replace("demo", f"demo{each}") for each in range(50)}
    project = project_with(hooks, tmp_path / "project", "toolspec-check", specs=specs)
    first = commit(project)
    assert first.returncode == 0, first.stdout + first.stderr
    before = done("git", "rev-parse", "HEAD", folder=project)

    spec = project / "specs" / "s7.yaml"
    spec.write_text(specs["s7.yaml"].replace("mutation", "muation"))
    (project / "specs" / "s8.yaml").write_text(specs["s8.yaml"].replace("call", "question"))
    stopped = commit(project)
    assert stopped.returncode == 1
    said = stopped.stdout + stopped.stderr
    assert said.count("error[") == 1
    assert "--> specs/s7.yaml:9:5" in said
    assert "did you mean `mutation`?" in said
    assert done("git", "rev-parse", "HEAD", folder=project) == before

    spec.write_text(specs["s7.yaml"])
    assert commit(project).returncode == 0
    assert done("git", "rev-parse", "HEAD", folder=project) != before


@pytest.mark.prove
def test_a_commit_without_documents_passes_by(hooks: Path, tmp_path: Path) -> None:
    bad = SPEC.replace("mutation", "muation")
    project = project_with(
        hooks, tmp_path / "project", "toolspec-check", "toolspec-fmt", specs={"demo.yaml": SPEC}
    )
    (project / "notes.txt").write_text("no spec\n")
    done("git", "add", "notes.txt", folder=project)
    passed = run("git", "commit", "-m", "Note", folder=project)
    assert passed.returncode == 0, passed.stdout + passed.stderr
    assert re.findall(r"toolspec (\w+)\W.*(Passed|Skipped)", passed.stdout + passed.stderr) == [
        ("check", "Passed"),
        ("fmt", "Skipped"),
    ]
    # The configuration alone can break what was right before.
    (project / "other").mkdir()
    (project / "other" / "demo.yaml").write_text(bad)
    (project / "toolspec.toml").write_text('specs = ["other"]\n')
    done("git", "add", "toolspec.toml", folder=project)
    stopped = run("git", "commit", "-m", "Move", folder=project)
    assert stopped.returncode == 1
    assert "--> other/demo.yaml:9:5" in stopped.stdout + stopped.stderr


@pytest.mark.prove
def test_a_commit_that_only_deletes_is_checked(hooks: Path, tmp_path: Path) -> None:
    tools = "".join(SPEC.partition("tools:\n")[1:]).replace("ping", "pong")
    specs = {
        "demo.yaml": f"{SPEC}include: [parts/more.yaml]\n",
        "other.yaml": SPEC.replace("demo", "other"),
    }
    project = project_with(
        hooks, tmp_path / "project", "toolspec-check", "toolspec-compile", specs=specs
    )
    part = project / "specs" / "parts" / "more.yaml"
    part.parent.mkdir()
    part.write_text(tools)
    (project / ".gitignore").write_text(".toolspec-cache/\n")
    done(BIN / "toolspec", "compile", folder=project)
    first = commit(project)
    assert first.returncode == 0, first.stdout + first.stderr

    part.unlink()
    stopped = commit(project)
    assert stopped.returncode == 1
    assert "bind/include-nothing" in stopped.stdout + stopped.stderr
    part.write_text(tools)

    (project / "specs" / "other.yaml").unlink()
    stopped = commit(project)
    assert stopped.returncode == 1
    assert "run `toolspec compile`" in stopped.stdout + stopped.stderr
    done(BIN / "toolspec", "compile", folder=project)
    assert commit(project).returncode == 0


@pytest.mark.prove
def test_a_commit_is_formatted(hooks: Path, tmp_path: Path) -> None:
    specs = {"demo.yaml": UNTIDY, "bad.yaml": SPEC.replace("mutation", "muation")}
    project = project_with(hooks, tmp_path / "project", "toolspec-fmt", specs=specs)
    stopped = commit(project)
    said = stopped.stdout + stopped.stderr
    assert stopped.returncode == 1
    assert "files were modified by this hook" in said
    formatted = (project / "specs" / "demo.yaml").read_text()
    assert "  # of this year\n" in formatted
    assert formatted.index("name: demo") < formatted.index("description: A demo")
    assert (project / "specs" / "bad.yaml").read_text() == specs["bad.yaml"]
    (project / "specs" / "bad.yaml").unlink()
    passed = commit(project)
    assert passed.returncode == 0, passed.stdout + passed.stderr
    assert (project / "specs" / "demo.yaml").read_text() == formatted


@pytest.mark.prove
def test_stale_output_stops_a_commit(hooks: Path, tmp_path: Path) -> None:
    project = project_with(
        hooks, tmp_path / "project", "toolspec-compile", specs={"demo.yaml": SPEC}
    )
    never = commit(project)
    assert never.returncode == 1
    assert "run `toolspec compile`" in never.stdout + never.stderr
    done(BIN / "toolspec", "compile", folder=project)
    (project / ".gitignore").write_text(".toolspec-cache/\n")
    current = commit(project)
    assert current.returncode == 0, current.stdout + current.stderr

    spec = project / "specs" / "demo.yaml"
    spec.write_text(SPEC.replace("Answer", "Return"))
    assert commit(project).returncode == 1
    done(BIN / "toolspec", "compile", folder=project)
    assert commit(project).returncode == 0

    generated = project / "generated" / "demo" / "types.py"
    generated.write_text(generated.read_text() + "# mine\n")
    edited = commit(project)
    assert edited.returncode == 1
    assert "+# mine" in edited.stdout + edited.stderr or "-# mine" in edited.stdout + edited.stderr
