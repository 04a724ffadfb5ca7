"""No verdict `proved safe` is wrong for random single edits of real tools, in both directions.

Each is attacked with values of the sender, by both validators. `random_edits.py` makes the edits.
"""

from __future__ import annotations

import json
from collections import Counter
from contextlib import closing
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from random_edits import CONSTRUCTIONS, EDITS, pairs
from toolspec.changes.change import Verdict
from toolspec.changes.proof import Prover
from toolspec.changes.schemas import Flow, Readers, SchemaComparison
from toolspec.changes.witness import candidates
from toolspec.shared import python_validator
from toolspec.shared.samples import NoSampleError, sample
from toolspec.shared.validator import InvalidSchemaError, compiled

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_MOST_NOT_PROVED = 0.015
_LEAST_OF_A_KIND = 50
_ATTACKS = 400
_VALUES = {"enum", "const", "default", "examples", "required"}
_IN_PLACE = {"additionalProperties", "allOf", "anyOf", "oneOf", "if", "patternProperties"}


def schemas(corpus: Path) -> list[Any]:
    """Return the schemas of all tools of the corpus."""
    found: list[Any] = []
    for path in sorted((corpus / "mcp-tools").glob("*.json")):
        document = json.loads(path.read_text("utf-8"))
        for tool in document["tools"]:
            found += (tool[key] for key in ("inputSchema", "outputSchema") if tool.get(key))
    return found


def closed(schema: Any) -> Any:
    """Return a schema that takes no undeclared member where it says nothing."""
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: item if key in _VALUES else closed(item) for key, item in schema.items()}
    is_plain = made.get("type") == "object" and not _IN_PLACE & made.keys()
    return {**made, "additionalProperties": False} if is_plain and "properties" in made else made


def opened(schema: Any) -> Any:
    """Return a schema that takes undeclared members where it refused all of them."""
    if isinstance(schema, list):
        return [opened(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: item if key in _VALUES else opened(item)
        for key, item in schema.items()
        if not (key in ("additionalProperties", "unevaluatedProperties") and item is False)
    }


def attacks(sender: Any, receiver: Any) -> Iterator[Any]:
    for seed in range(4):
        try:
            yield sample(json.dumps(sender), str(seed))
        except (NoSampleError, ValueError):
            break
    for _, value in zip(range(_ATTACKS), candidates(sender, receiver, 0), strict=False):
        yield value


def check(old: Any, new: Any, flow: Flow, prover: Prover) -> str:
    """Return the verdict of a pair, after an attack on it."""
    proofs = [each.proof for each in SchemaComparison(old, new, flow, prover).edits() if each.proof]
    verdicts = {proof.verdict for proof in proofs}
    for proof in proofs:
        if proof.verdict is Verdict.BREAKING:
            witness = json.loads(proof.witness)
            accepted = [compiled(schema, formats=True)(witness) for schema in (old, new)]
            assert accepted == [flow is Flow.ARGUMENT, flow is Flow.RESULT]
    if Verdict.BREAKING in verdicts:
        return "breaking"
    if verdicts - {Verdict.SAFE}:
        return "not proved"
    sender = closed(old if flow is Flow.ARGUMENT else new)
    receiver = new if flow is Flow.ARGUMENT else opened(old)
    try:
        accepts, receives = (compiled(each, formats=True) for each in (sender, receiver))
    except InvalidSchemaError:
        return "safe"
    for value in attacks(sender, receiver):
        if accepts(value) and not receives(value):
            other = python_validator.compiled(receiver, formats=True, error=InvalidSchemaError)
            assert other(value), (flow, json.dumps(value), json.dumps(old), json.dumps(new))
    return "safe"


def judged(old: Any, new: Any, flow: Flow, prover: Prover, readers: Readers) -> str:
    """Return the verdict of a pair without an attack."""
    edits = SchemaComparison(old, new, flow, prover, readers=readers).edits()
    verdicts = {edit.proof.verdict for edit in edits if edit.proof}
    if Verdict.BREAKING in verdicts:
        return "breaking"
    return "not proved" if verdicts - {Verdict.SAFE} else "safe"


def verdicts_of(corpus: Path, seed: int, count: int) -> tuple[Counter[str], Counter[str]]:
    """Return how often each verdict and each kind of edit occurred."""
    chance = Random(seed)  # noqa: S311 - no secret
    counts, kinds = Counter[str](), Counter[str]()
    with closing(Prover()) as prover:
        for kind, old, new in pairs(schemas(corpus), chance, count):
            kinds[kind] += 1
            for one, other in ((old, new), (new, old)):
                try:
                    arguments, result = (check(one, other, flow, prover) for flow in Flow)
                except InvalidSchemaError:  # a tool of the corpus whose schema is none
                    continue
                counts.update((arguments, result))
                # A result of the reversed pair goes the same way, for readers that validate.
                mirrored = judged(other, one, Flow.RESULT, prover, Readers.STRICT)
                assert mirrored == arguments, (kind, json.dumps(one), json.dumps(other))
    return counts, kinds


def test_some_edits(corpus: Path) -> None:
    counts, kinds = verdicts_of(corpus, 1, 31)
    assert len(kinds) == len(EDITS) + len(CONSTRUCTIONS)
    assert counts["safe"] > 20
    assert counts["breaking"] > 20
    assert counts["not proved"] <= _MOST_NOT_PROVED * counts.total()


@pytest.mark.prove
@pytest.mark.parametrize("seed", range(2, 7))
def test_many_edits(corpus: Path, seed: int) -> None:
    counts, kinds = verdicts_of(corpus, seed, 2_500)
    print(dict(counts))
    assert min(kinds.values()) >= _LEAST_OF_A_KIND
    assert counts["not proved"] <= _MOST_NOT_PROVED * counts.total()
