"""Diffs of generated files that a reviewer sees, by a real git, for changes of a service of 12 tools."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from sampling import sampled
from toolspec.driver.config import DEFAULT_TARGETS
from toolspec.providers import profile

TOOLSPEC = Path(sys.executable).parent / "toolspec"
SPEC = (Path(__file__).parent / "review" / "tracker.yaml").read_text(encoding="utf-8")
PING = '  - {name: ping, description: Answer., outputSchema: {type: "null"}, mutation: false}\n'
# Lines that a tool without arguments adds: at most 120 in all (issue 12).
ADDED = {
    "catalog.json": 22,
    "docs/README.md": 4,
    "docs/llms-full.txt": 14,
    "docs/llms.txt": 1,
    "docs/tracker.md": 14,
    "tracker/__init__.py": 12,
    "tracker/client.py": 12,
    "tracker/handlers.py": 13,
    "tracker/mcp-2025-11-25.json": 9,
    "tracker/mcp.json": 9,
    "tracker/schemas.py": 1,
    "tracker/types.py": 9,
}


def run(folder: Path, *command: str | Path) -> str:
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, env=environment
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


def commit(folder: Path, configuration: str) -> Path:
    """Compile the specification in a new repository, and commit everything."""
    (folder / "toolspec.toml").write_text(configuration, encoding="utf-8")
    (folder / "specs").mkdir()
    (folder / "specs" / "tracker.yaml").write_text(SPEC, encoding="utf-8")
    run(folder, TOOLSPEC, "compile")
    run(folder, "git", "init", "--quiet")
    run(folder, "git", "add", "--all")
    author = ("-c", "user.name=A", "-c", "user.email=a@example.com")
    run(folder, "git", *author, "commit", "--quiet", "--message", "first")
    return folder


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return commit(tmp_path_factory.mktemp("repository"), "")


@pytest.fixture(scope="module")
def provider_repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with all targets, those of every provider included."""
    targets = [*DEFAULT_TARGETS, *sorted(profile.names())]
    return commit(tmp_path_factory.mktemp("providers"), f"targets = {json.dumps(targets)}\n")


def compiled(folder: Path, spec: str, *before: str) -> str:
    """Return the diff of the generated files after a change of the spec, without the lock."""
    run(folder, "git", "checkout", "--quiet", ".")
    (folder / "specs" / "tracker.yaml").write_text(spec, encoding="utf-8")
    if before:
        run(folder, TOOLSPEC, *before)
    run(folder, TOOLSPEC, "compile")
    return run(folder, "git", "diff", "-U0", "--", "generated", ":!generated/toolspec.lock.json")


def changed(diff: str) -> list[tuple[str, str]]:
    """Return each changed line with its file, the added ones only."""
    found, path = [], ""
    for line in diff.splitlines():
        if line.startswith("+++ "):
            path = line.removeprefix("+++ b/generated/")
        elif line.startswith("+"):
            found.append((path, line[1:]))
    return found


def test_a_comment_changes_no_generated_file(repository: Path) -> None:
    assert compiled(repository, f"# A comment.\n{SPEC}") == ""


def test_formatting_the_spec_changes_no_generated_file(repository: Path) -> None:
    assert compiled(repository, SPEC, "fmt") == ""
    assert run(repository, "git", "diff", "--name-only") == "specs/tracker.yaml\n"


def test_a_description_changes_the_lines_that_contain_it_and_one_digest(repository: Path) -> None:
    new = "Find issues by the words of a title."
    lines = changed(
        compiled(repository, SPEC.replace("Find issues by words in their titles.", new))
    )
    others = [(path, line.strip()) for path, line in lines if new not in line]
    # Token counts are estimates, which may be the same for two texts.
    assert {path for path, _ in others} <= {"catalog.json"}
    assert [line[: line.index(":")] for _, line in others] == ['"digests"']
    assert {path.rpartition("/")[2] for path, _ in lines} == {
        "README.md",
        "__init__.py",
        "catalog.json",
        "client.py",
        "handlers.py",
        "llms-full.txt",
        "llms.txt",
        "mcp-2025-11-25.json",
        "mcp.json",
        "tracker.md",
    }


def test_a_description_in_a_shared_type_changes_one_line_of_python_and_docs(
    repository: Path,
) -> None:
    new = "First and last name."
    lines = changed(compiled(repository, SPEC.replace("Full name.", new)))
    assert all(new in line for path, line in lines if path != "catalog.json")
    readable = [path for path, _ in lines if not path.endswith(".json")]
    docs = ["docs/llms-full.txt", "docs/tracker.md"]
    assert sorted(readable) == [*docs, "tracker/schemas.py", "tracker/types.py"]
    digests = [line for path, line in lines if path == "catalog.json"]
    assert all(re.search('"[0-9a-f]{64}"', line) for line in digests)


@pytest.mark.parametrize(
    ("old", "new"),
    sampled(
        [
            ("Find issues by words in their titles.", "Find issues by the words of their titles."),
            ("Words to look for.", "Words to look for in titles and in the texts below them."),
            ("Words to look for.", "Words."),
        ],
        1,
        rows=True,
    ),
)
def test_a_description_changes_one_line_of_sizes_in_an_artifact_with_all_providers(
    provider_repository: Path, old: str, new: str
) -> None:
    lines = changed(compiled(provider_repository, SPEC.replace(old, new)))
    shown = {path for path, line in lines if new in line}
    assert shown >= {f"tracker/{name}.json" for name in profile.names()}
    others = Counter(path for path, line in lines if new not in line)
    assert others == {
        "catalog.json": 2,  # digests and sizes
        "docs/README.md": 1,
        "docs/llms-full.txt": 1,
        "docs/tracker.md": 1,
    }


def test_a_tool_adds_few_lines(repository: Path) -> None:
    compiled(repository, SPEC + PING)
    table = run(
        repository, "git", "diff", "--numstat", "--", "generated", ":!generated/toolspec.lock.json"
    )
    added = {}
    for line in table.splitlines():
        count, _, path = line.split("\t")
        added[path.removeprefix("generated/")] = int(count)
    assert added == ADDED
    assert sum(ADDED.values()) <= 120


def shuffled(value: Any, chance: Random) -> Any:
    """Return a value with the members of each mapping in another order, except names."""
    if isinstance(value, list):
        return [shuffled(item, chance) for item in value]
    if not isinstance(value, dict):
        return value
    names = [*value]
    chance.shuffle(names)
    return {
        name: {each: shuffled(part, chance) for each, part in value[name].items()}
        if name in ("properties", "$defs")
        else shuffled(value[name], chance)
        for name in names
    }


@pytest.mark.prove
def test_the_order_of_keys_changes_no_generated_file(repository: Path) -> None:
    for seed in range(3):
        spec = yaml.safe_dump(shuffled(yaml.safe_load(SPEC), Random(seed)), sort_keys=False)  # noqa: S311 - a seed
        assert compiled(repository, spec) == ""
    assert compiled(repository, spec, "fmt") == ""
