"""Each kind is reported for the pair in its manual, alone, and its mirror for the reversed pair."""

from __future__ import annotations

import pytest
from change_pairs import blocks, compared, compiled_side, manual
from sampling import sampled
from toolspec.changes.bumps import advise, missing_bumps
from toolspec.changes.catalogue import entry, modules
from toolspec.changes.change import Verdict
from toolspec.changes.compare import compare
from toolspec.changes.kind import Audience, Level
from toolspec.changes.removals import RemovalTerms
from toolspec.changes.schemas import Readers

# The default readers ignore members that they do not know.
FOR_STRICT_READERS = {"result/opened"}
# Values are as valid as before, and mean something else, or are no longer hidden.
WITHOUT_PROOF = {"argument/unit-changed", "result/secret-unmarked", "result/unit-changed"}


def is_proved(code: str) -> bool:
    """Return whether a break of this kind is a value that one side refuses."""
    is_of_schema = entry(code).kind.family in ("argument", "result")
    return is_of_schema and not entry(code).refines and code not in WITHOUT_PROOF


# Kinds about the other changes of a service, and of a policy.
OF_VERSIONS = {
    "lifecycle/break-without-bump",
    "lifecycle/bump-too-small",
    "lifecycle/version-unchanged",
}
OF_DAYS = "lifecycle/deprecation-too-short"


@pytest.mark.parametrize("code", sorted(OF_VERSIONS))
def test_the_pair_of_the_manual_lacks_this_bump_alone(code: str) -> None:
    old, new = map(compiled_side, blocks(code))
    (change,) = missing_bumps(advise(compare(old, new).changes, old, new))
    assert change.code == code
    assert change.message
    assert "{" not in change.advice
    assert not [*missing_bumps(advise(compare(old, old).changes, old, old))]


def test_the_pair_of_the_manual_is_removed_too_soon() -> None:
    old, new = map(compiled_side, blocks(OF_DAYS))
    (change,) = compare(old, new, removals=RemovalTerms(days=30)).changes
    assert change.code == OF_DAYS


@pytest.mark.parametrize("code", sampled(sorted(modules().keys() - OF_VERSIONS - {OF_DAYS}), 120))
def test_the_pair_of_the_manual_is_this_change_alone(code: str) -> None:
    old, new = blocks(code)
    (change,) = compared(old, new).changes
    assert change.code == code
    assert change.message
    assert "{" not in change.advice


@pytest.mark.parametrize("code", sampled(modules(), 120))
def test_the_reversed_pair_is_the_mirror(code: str) -> None:
    mirror = entry(code).kind.mirror
    if not mirror:
        assert "reversed" in manual(code).lower(), "it says why there is none"
        return
    old, new = blocks(code)
    assert [change.code for change in compared(new, old).changes] == [mirror]
    assert entry(mirror).kind.mirror == code


@pytest.mark.parametrize("code", sampled(modules(), 120))
def test_the_same_version_twice_is_no_change(code: str) -> None:
    old, _ = blocks(code)
    assert not compared(old, old).changes


@pytest.mark.parametrize("code", [code for code in modules() if is_proved(code)])
def test_a_break_has_a_witness_or_no_proof(code: str) -> None:
    readers = Readers.STRICT if code in FOR_STRICT_READERS else Readers.TOLERANT
    (change,) = compared(*blocks(code), readers=readers).changes
    is_break = entry(code).kind.levels[Audience.CALLERS] is Level.BREAK
    assert (change.level() is Level.BREAK) is is_break
    assert not is_break or (change.proof and change.proof.verdict is Verdict.BREAKING), change.proof
