"""Random pairs of branches that edit a contract, merged with plain git."""

from __future__ import annotations

import copy
import subprocess
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from partial_specs import bound, whole
from test_revisions import ENVIRONMENT, git
from toolspec.changes.contract import FILE, Contract, read_contract
from toolspec.driver.config import Config
from toolspec.driver.contract.contract_file import AcceptRequest, accept
from toolspec.driver.contract.contract_text import (
    contract_text,
    is_conflicted,
    read_conflicted,
)
from toolspec.driver.contract.facts import contract_side
from toolspec.driver.contract.policy import ContractPolicy, Judgement, Versions, judge
from toolspec.frontend import naming
from toolspec.targets.mcp import TARGETS

if TYPE_CHECKING:
    from pathlib import Path

TOOLS = 8


def document() -> dict[str, Any]:
    tools = [
        {
            "name": f"find{number}",
            "description": f"Find number {number}.",
            "inputSchema": {"type": "object", "properties": {"word": {"type": "string"}}},
        }
        for number in range(TOOLS)
    ]
    return {"tools": tools}


def accepted(old: Contract, spec: dict[str, Any], reason: str, *, is_new: bool = False) -> Contract:
    program = naming.name_program([bound(whole(spec))]).value
    side = contract_side(program, "the specs", TARGETS, Config())
    request = AcceptRequest(reason, today="2026-11-24")

    def judged(contract: Contract) -> Judgement:
        versions = Versions(contract.side("old"), side, lambda _: None)
        return judge(versions, ContractPolicy(), request.today)

    checked = accept(old, side, request, judged=judged, is_new=is_new)
    assert checked.ok
    return checked.value.contract


def edited(spec: dict[str, Any], name: str, kind: str, word: str) -> dict[str, Any]:
    """Return a document in which one tool is edited, removed, or followed by a new one."""
    changed = copy.deepcopy(spec)
    at = next(at for at, tool in enumerate(changed["tools"]) if tool["name"] == name)
    tool = changed["tools"][at]
    match kind:
        case "first":  # the first lines of the block
            tool["aliases"] = [f"notes_{word}"]
        case "last":
            tool["x-note"] = word
        case "argument":
            tool["inputSchema"]["properties"][word] = {"type": "integer"}
        case "description":
            tool["description"] = f"Find {word}."
        case "removed":
            del changed["tools"][at]
        case "added":
            changed["tools"].insert(at + 1, {**tool, "name": word, "description": f"Find {word}."})
    return changed


KINDS = ("first", "last", "argument", "description", "removed", "added")


class Merge:
    """A repository with a contract, in which branches are merged."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.spec = folder, document()
        self.base = accepted(Contract(), self.spec, "", is_new=True)
        git(folder, "init", "--quiet", "--initial-branch=main")
        self.commit(self.base)
        git(folder, "tag", "base")

    def commit(self, contract: Contract) -> None:
        (self.folder / FILE).write_text(contract_text(contract))
        git(self.folder, "add", FILE)
        git(self.folder, "commit", "--quiet", "--message=accept")

    def merged(self, one: Contract, other: Contract) -> str:
        """Return the merged text, which may have conflicts."""
        for name, contract in (("one", one), ("other", other)):
            git(self.folder, "switch", "--quiet", "--force-create", name, "base")
            self.commit(contract)
        command = ["git", "merge", "--quiet", "--no-edit", "one"]
        subprocess.run(command, cwd=self.folder, env=ENVIRONMENT, check=False, capture_output=True)
        text = (self.folder / FILE).read_text()
        git(self.folder, "reset", "--quiet", "--hard")
        return text


@pytest.mark.parametrize(("seed", "pairs"), [(0, 4), pytest.param(1, 200, marks=pytest.mark.prove)])
def test_edits_of_different_tools_never_conflict(tmp_path: Path, seed: int, pairs: int) -> None:
    random, merge = Random(seed), Merge(tmp_path)  # noqa: S311 - repeatable, and no secret
    conflicts = 0
    for _ in range(pairs):
        first = random.randrange(TOOLS)
        second = random.choice([at for at in (first - 1, first + 1) if 0 <= at < TOOLS])
        if random.random() < 0.4:  # neighbours are the hard case
            second = random.choice([at for at in range(TOOLS) if at != first])
        kinds = random.choice(KINDS), random.choice(KINDS)
        specs = [
            edited(merge.spec, f"find{at}", kind, word)
            for at, kind, word in zip((first, second), kinds, ("alpha", "beta"), strict=True)
        ]
        one, other = (accepted(merge.base, spec, f"reason {n}") for n, spec in enumerate(specs))
        text = merge.merged(one, other)
        both = edited(specs[0], f"find{second}", kinds[1], "beta")
        if is_conflicted(text):
            conflicts += 1
            # Only two blocks at one position: one was added where the other begins or ends.
            assert "added" in kinds, (kinds, first, second, text)
            contract = read_conflicted(text)
        else:
            contract = read_contract(text)
        again = accepted(contract, both, "")
        reasons = [each.reason for block in again.tools.values() for each in block.history]
        assert sorted(reasons) == ["reason 0", "reason 1"]
        assert read_contract(contract_text(again)) == again
    assert conflicts <= pairs // 4


def test_two_tools_that_are_added_at_one_position(tmp_path: Path) -> None:
    merge = Merge(tmp_path)
    specs = [edited(merge.spec, "find3", "added", word) for word in ("alpha", "beta")]
    one, other = (accepted(merge.base, spec, f"reason {n}") for n, spec in enumerate(specs))
    text = merge.merged(one, other)
    assert is_conflicted(text)
    both = edited(specs[0], "find3", "added", "beta")
    again = accepted(read_conflicted(text), both, "")
    assert again.tools["notes_alpha"].history == one.tools["notes_alpha"].history
    assert again.tools["notes_beta"].history == other.tools["notes_beta"].history
    assert [name for name in again.tools if name.endswith("a")] == ["notes_beta", "notes_alpha"]
