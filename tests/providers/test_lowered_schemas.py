"""Generated schemas through every profile: no crash, a full ledger, and answers that decode."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lowered_checks import faults, is_narrowed, is_widened, lowered, tool
from made_schemas import Maker
from sampling import sampled
from toolspec.ir import ToolNames
from toolspec.providers.lowering import Lowering, lower
from toolspec.providers.profile import find_profile, names

LOWERING = [name for name in names() if (profile := find_profile(name)) and profile.steps]
SEEDS = st.integers(0, 2**32)


def check(name: str, seed: int) -> None:
    profile = find_profile(name)
    assert profile is not None
    random = Random(seed)  # noqa: S311 - schemas, no secrets
    schema = Maker(random, random.choice((1, 2, 2, 3))).schema()
    assert not list(faults(schema, profile, random)), schema


@pytest.mark.parametrize("name", sampled(LOWERING, 4))
@settings(
    max_examples=40,
    derandomize=True,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    database=None,
)
@given(seed=SEEDS)
def test_every_schema_fits_or_is_refused(name: str, seed: int) -> None:
    check(name, seed)


@pytest.mark.prove
@settings(max_examples=40, derandomize=True, deadline=None, database=None)
@given(seed=SEEDS)
def test_profiles_that_share_steps_lower_as_each_alone(seed: int) -> None:
    schema = Maker(Random(seed), 2).schema()  # noqa: S311 - schemas, no secrets
    # Longer than some providers accept, so that limits make a difference.
    tool_names = ToolNames(f"svc_{'long' * 20}", "thing", "Thing")
    made = replace(tool(schema, "Does a thing. " * 100), names=tool_names)
    together = Lowering(made)
    for profile in filter(None, map(find_profile, LOWERING)):
        assert together.to(profile) == lower(made, profile)


@pytest.mark.prove
@pytest.mark.parametrize("name", LOWERING)
@settings(
    max_examples=10_000,
    derandomize=True,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    database=None,
)
@given(seed=SEEDS)
def test_ten_thousand_schemas_fit_or_are_refused(name: str, seed: int) -> None:
    check(name, seed)


@pytest.mark.prove
@pytest.mark.parametrize("name", LOWERING)
def test_much_of_it_is_proven_and_not_excused(name: str) -> None:
    """Of schemas that can be sent, many decode without the ledger having to say that it is not so."""
    profile = find_profile(name)
    assert profile is not None
    made = [lowered(Maker(Random(seed), 1).schema(), profile) for seed in range(300)]  # noqa: S311 - the same
    sent = [each for each in made if not each.refusals]
    assert len(sent) > len(made) / 4
    assert sum(not is_widened(each) for each in sent) > len(sent) / 10
    assert sum(not is_narrowed(each) for each in sent) > len(sent) / 4
