"""Each kind of the families `argument` and `result` is reported for the pair in its manual, alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from toolspec.changes import kinds
from toolspec.changes.catalogue import entry, modules
from toolspec.changes.change import Verdict
from toolspec.changes.kind import Audience, Level
from toolspec.changes.proof import Prover
from toolspec.changes.schemas import Edit, Flow, Readers, SchemaComparison
from toolspec.shared.validator import compiled

FIELDS = {"argument": "inputSchema", "result": "outputSchema"}
CODES = [code for code in modules() if code.partition("/")[0] in FIELDS]


def pair(code: str) -> tuple[Any, Any]:
    """Return the schemas before and after in the manual of a kind."""
    family, _, slug = code.partition("/")
    text = (Path(kinds.__path__[0]) / family / f"{slug.replace('-', '_')}.md").read_text("utf-8")
    _, before, after = text.split("```yaml\n")
    blocks = (yaml.safe_load(block.partition("```")[0]) for block in (before, after))
    old, new = (block["tools"][0][FIELDS[family]] for block in blocks)
    return old, new


def edits(old: Any, new: Any, code: str) -> list[Edit]:
    """Return the differences of a pair, for the readers to whom it matters."""
    prover = Prover()
    readers = Readers.STRICT if code == "result/opened" else Readers.TOLERANT
    flow = Flow(code.partition("/")[0])
    try:
        return SchemaComparison(old, new, flow, prover, readers=readers).edits()
    finally:
        prover.close()


@pytest.mark.parametrize("code", CODES)
def test_the_pair_of_the_manual_is_this_change_alone(code: str) -> None:
    slug = code.partition("/")[2]
    old, new = pair(code)
    (found,) = edits(old, new, code)
    assert found.slug == slug
    values = {"service": "demo", "tool": "demo_find", **found.values}
    assert entry(code).kind.message.format_map(values)
    assert entry(code).kind.advice.format_map(values) is not None
    breaks = entry(code).kind.levels[Audience.CALLERS] is Level.BREAK
    assert found.proof is None or breaks <= (found.proof.verdict is not Verdict.SAFE)


@pytest.mark.parametrize("code", CODES)
def test_the_reversed_pair_is_the_mirror(code: str) -> None:
    family = code.partition("/")[0]
    old, new = pair(code)
    mirror = entry(code).kind.mirror
    reversed_codes = [f"{family}/{each.slug}" for each in edits(new, old, code)]
    assert not mirror or reversed_codes == [mirror]


@pytest.mark.parametrize("code", CODES)
def test_a_witness_is_valid_on_one_side_only(code: str) -> None:
    family = code.partition("/")[0]
    old, new = pair(code)
    for each in edits(old, new, code):
        if each.proof and each.proof.verdict is Verdict.BREAKING:
            witness = json.loads(each.proof.witness)
            verdicts = [compiled(schema, formats=True)(witness) for schema in (old, new)]
            assert verdicts == [family == "argument", family == "result"]
