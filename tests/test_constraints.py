"""What CI installs is written down, and fits the bounds that `pyproject.toml` states."""

from __future__ import annotations

import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
RUNTIME = "compiler/pyproject.toml"


def test_every_dependency_has_one_version_within_its_bounds() -> None:
    texts = [(ROOT / name).read_text("utf-8") for name in ("pyproject.toml", RUNTIME)]
    compiler, runtime = map(tomllib.loads, texts)
    stated = [
        *(line for line in compiler["project"]["dependencies"] if "toolspec" not in line),
        *compiler["dependency-groups"]["dev"],
        *runtime["project"]["dependencies"],
        *(line for lines in runtime["project"]["optional-dependencies"].values() for line in lines),
    ]
    lines = (ROOT / ".ci" / "constraints.txt").read_text("utf-8").split()
    pinned = {
        canonicalize_name(name): version
        for name, _, version in (line.partition("==") for line in lines)
    }
    for requirement in map(Requirement, stated):
        version = pinned.get(canonicalize_name(requirement.name))
        assert version, f"{requirement.name}: run `make constraints`"
        assert requirement.specifier.contains(version), requirement


def test_no_line_names_where_a_package_comes_from() -> None:
    lines = (ROOT / ".ci" / "constraints.txt").read_text("utf-8").splitlines()
    assert [line for line in lines if "@" in line or "/" in line or "--" in line] == []
