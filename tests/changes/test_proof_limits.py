"""No pair of schemas takes long, and no answer that depends on the time is recorded."""

from __future__ import annotations

import resource
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest
from hostile_schemas import HOSTILE, pairs_of_branches
from sampling import sampled
from test_random_edits import check
from toolspec.changes import proof
from toolspec.changes.change import Verdict
from toolspec.changes.compare import compare
from toolspec.changes.contract import Contract
from toolspec.changes.listed import listed_side
from toolspec.changes.proof import Prover
from toolspec.changes.schemas import Flow, SchemaComparison
from toolspec.driver.contract.contract_file import AcceptRequest, accept
from toolspec.driver.contract.contract_text import contract_text
from toolspec.driver.contract.policy import ContractPolicy, Judgement, Versions, judge
from toolspec.reports.changes.comparison import proof_text

if TYPE_CHECKING:
    from toolspec.changes.side import Side

_SECONDS = 2
# A true statement for which the engine needs minutes: each pair asks for a member of its own.
SLOW = {"type": "object", "allOf": pairs_of_branches(24)}


@pytest.mark.parametrize("flow", sampled(Flow, 1))
@pytest.mark.parametrize("name", sampled(HOSTILE, 2))
def test_the_answer_to_a_hostile_question_is_sound(name: str, flow: Flow) -> None:
    old, new = HOSTILE[name]
    with closing(Prover()) as prover:
        for pair in ((old, new), (new, old)):
            assert check(*pair, flow, prover) in {"safe", "breaking", "not proved"}


@pytest.mark.prove
@pytest.mark.parametrize("flow", Flow)
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_question_takes_little_processor_time(name: str, flow: Flow) -> None:
    old, new = HOSTILE[name]
    for pair in ((old, new), (new, old)):
        start = _processor_time()
        with closing(Prover()) as prover:
            SchemaComparison(*pair, flow, prover).edits()
        assert _processor_time() - start <= _SECONDS


def _processor_time() -> float:
    """Return the seconds of this process and of its ended children."""
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def side(**more: Any) -> Side:
    schema = {"type": "object", "properties": {"x": {**SLOW, **more}}}
    return listed_side([{"name": "slow", "inputSchema": schema}], "a list")


def verdicts(*, is_recorded: bool) -> list[tuple[str, str, Verdict]]:
    changes = compare(side(), side(minProperties=24), is_recorded=is_recorded).changes
    return [
        (change.code, proof_text(change), change.proof.verdict)
        for change in changes
        if change.proof
    ]


@pytest.mark.prove
def test_a_question_that_met_the_clock_is_out_of_time(monkeypatch: pytest.MonkeyPatch) -> None:
    code = "argument/bound-tightened"
    assert verdicts(is_recorded=False) == [
        (code, "not proved: the size of the schema", Verdict.NOT_PROVED)
    ]
    monkeypatch.setattr(proof, "_IN_CHILD", 10**30)  # so that the engine is asked
    assert verdicts(is_recorded=False) == [
        (code, "out of time: the limit of time", Verdict.EXPIRED)
    ]


@pytest.mark.prove
def test_no_contract_depends_on_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = []
    for limit in (proof._IN_CHILD, 10**30):
        monkeypatch.setattr(proof, "_IN_CHILD", limit)
        assert Verdict.EXPIRED not in {verdict for *_, verdict in verdicts(is_recorded=True)}
        first = accepted(Contract(), side(), is_new=True)
        texts.append(contract_text(accepted(first, side(minProperties=24), is_new=False)))
    assert texts[0] == texts[1]
    assert '"argument/bound-tightened"' in texts[0]


def accepted(contract: Contract, now: Side, *, is_new: bool) -> Contract:
    def judged(before: Contract) -> Judgement:
        versions = Versions(before.side("before"), now, lambda _: None, is_recorded=True)
        return judge(versions, ContractPolicy(), "2026-11-21")

    request = AcceptRequest(reason="It has to be.", today="2026-11-21")
    return accept(contract, now, request, judged=judged, is_new=is_new).value.contract
