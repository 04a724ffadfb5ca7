"""A contract with any other value in it is compared, or refused with the place of the value."""

from __future__ import annotations

import copy
import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from forkserver import toolspec
from toolspec.changes.contract import FILE, Contract, ContractError, read_contract
from toolspec.driver.contract.contract_form import with_checked_facts
from toolspec.driver.contract.contract_text import contract_text
from toolspec.driver.contract.policy import ContractPolicy, Versions, judge
from toolspec.reports.changes import Form, render_changes
from toolspec.reports.changes.comparison import Comparison

VALUES: list[Any] = [
    *(None, True, [], {}, "", "x", 0, -1, 1.5, 10**20, [0], [None], [[]], {"x": 0}, ["a", "a"]),
    *({"type": "object"}, "2026-13-45", "9" * 5_000),
]
SPEC = Path(__file__).parents[1] / "site_target" / "harbor.yaml"


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [toolspec(), *arguments]
    return subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("harbor")
    (folder / "specs").mkdir()
    shutil.copy(SPEC, folder / "specs")
    (folder / "toolspec.toml").write_text('targets = ["mcp-2026-07-28", "gemini"]\n')
    assert run(folder, "accept").returncode == 0
    return folder


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the parts of a value and the keys of their members."""
    keys = [*value] if isinstance(value, dict) else range(len(value))
    for key in keys:
        yield value, key
        if isinstance(value[key], (dict, list)):
            yield from places(value[key])


def edited(document: dict[str, Any], random: Random) -> dict[str, Any]:
    """Return a contract with one value replaced or removed."""
    changed = copy.deepcopy(document)
    part, key = random.choice([*places(changed)])
    if random.random() < 0.1:
        del part[key]
    else:
        part[key] = copy.deepcopy(random.choice(VALUES))
    return changed


def compared(old: Contract, new: Contract) -> None:
    """Compare two contracts, and write the result in every form."""
    versions = Versions(old.side("old"), new.side("new"), lambda _: None)
    judgement = judge(versions, ContractPolicy(), "2027-01-31")
    for form in Form:
        render_changes(form, Comparison(judgement.changes, advice=judgement.advice))
    assert contract_text(new)


@pytest.mark.parametrize(
    ("seed", "count"), [(0, 50), pytest.param(1, 10_000, marks=pytest.mark.prove)]
)
def test_any_value_may_be_another(project: Path, seed: int, count: int) -> None:
    document = json.loads((project / FILE).read_text())
    whole = read_contract(json.dumps(document))
    random = Random(seed)  # noqa: S311 - repeatable, and no secret
    refused = 0
    for _ in range(count):
        try:
            contract = with_checked_facts(read_contract(json.dumps(edited(document, random))))
        except ContractError as error:
            refused += "is malformed: " in str(error)
            continue
        compared(whole, contract)
        compared(contract, whole)
    assert refused > count // 5


@pytest.mark.parametrize(
    ("fact", "value", "problem"),
    [
        ("hints", {}, ".harbor_watch.facts.hints` is malformed: `readOnly` "),
        ("permissions", {"x": 0}, "facts.permissions` is malformed: "),
        ("lowered", {"gemini": {"form": 1}}, "facts.lowered.gemini.form` is malformed: "),
        ("wire", [None], "facts.wire` is malformed: "),
    ],
)
def test_a_malformed_fact_has_a_place(
    project: Path, tmp_path: Path, fact: str, value: Any, problem: str
) -> None:
    folder = tmp_path / "project"
    shutil.copytree(project, folder)
    document = json.loads((folder / FILE).read_text())
    document["tools"]["harbor_watch"]["facts"][fact] = value
    (folder / FILE).write_text(text := json.dumps(document))
    for command in (("ci",), ("accept",), ("diff", FILE, ".")):
        done = run(folder, *command)
        output = done.stdout + done.stderr
        assert "error[contract/unreadable]" in output, command
        assert problem in output
        assert done.returncode in {1, 2}
    assert (folder / FILE).read_text() == text
