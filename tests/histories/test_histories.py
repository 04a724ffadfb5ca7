"""Random histories of calls, of which each has to keep every invariant; and judges that can fail."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from judges import (
    disordered,
    doubled,
    lingering,
    misshapen,
    unapproved,
    untold,
    verdict,
)
from steps import Step, history, shortest
from toolspec.runtime import Policy, PolicySource, Registry, Rule
from toolspec.runtime.controls.limits import RateLimit
from toolspec.runtime.stores import Entry, KeyedCall, Lease
from toolspec.runtime.stores.memory import MemoryJournal, MemoryKeys
from world import Handlers, World, play

SHORT, LONG = 150, 10_000
TRIES = 300
"""Histories in which a broken registry has to be found out."""


@pytest.fixture(autouse=True)
def silent() -> Iterator[None]:
    """Handlers fail by the thousand here, and the log of that is no news."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


def steps_of(seed: int) -> tuple[Step, ...]:
    return history(Random(seed))  # noqa: S311 - a history, and no secret


def held(seeds: range) -> Counter[str]:
    """Play the histories of the seeds, and return how their calls ended."""
    ends: Counter[str] = Counter()
    for seed in seeds:
        steps = steps_of(seed)
        world = play(steps)
        if verdict(world):
            least = shortest(steps, lambda fewer: verdict(play(fewer)))
            problems = "\n".join(verdict(play(least)))
            pytest.fail(f"history {seed}:\n{problems}\nin {least}")
        for end in world.ended:
            ends[end.error.code if end.error is not None else end.how] += 1
        ends["effects"] += len(world.effects)
        ends["undone"] += len(world.undone)
    return ends


def test_histories_keep_every_invariant() -> None:
    held(range(SHORT))


@pytest.mark.prove
def test_histories_reach_what_they_are_to_try() -> None:
    """Every ending that a call can have is there, or a judge would have nothing to judge."""
    ends = held(range(SHORT, SHORT + 200))
    assert ends.keys() >= {
        *("ok", "cancelled", "left", "parked", "effects", "undone"),
        *("approval_required", "refused", "unauthenticated", "validation", "not_found"),
        *("key_reused", "in_progress", "outcome_unknown", "too_many_calls"),
        *("total_timeout", "idle_timeout", "output", "verification", "internal", "unavailable"),
    }, ends


@pytest.mark.parametrize("name", ["demo_tell", "demo_pour"])
@pytest.mark.parametrize("form", ["call", "stream"])
@pytest.mark.parametrize("leave", [None, (3, 0)])
def test_who_streams_on_after_being_called_off_streams_for_nobody(
    name: str, form: str, leave: tuple[int, int] | None
) -> None:
    """Its next chunk ends it, and gives its place back."""
    step = Step(number=0, at=0, name=name, form=form, ending="stubborn", leave=leave)
    world = play((step,))
    assert len(world.effects) == 1
    assert verdict(world) == []


@pytest.mark.parametrize("turns", range(7))
@pytest.mark.parametrize("seconds", [0, 1])
def test_an_undo_that_has_begun_ends_and_is_done_once(seconds: int, turns: int) -> None:
    """Whoever asked for it may go at any moment: the next one does not undo the same again."""
    steps = (
        Step(number=0, at=0, name="demo_post", key="a"),
        Step(number=1, at=4, name="demo_revert_all", leave=(seconds, turns)),
        Step(number=2, at=8, name="demo_revert_all"),
    )
    world = play(steps)
    assert verdict(world) == []
    assert [how for _, _, how in world.undone] == ["ok"]


@pytest.mark.prove
def test_ten_thousand_histories_keep_every_invariant() -> None:
    ends = held(range(LONG))
    calls = sum(ends.values()) - ends["effects"] - ends["undone"]
    print(f"\n{LONG} histories, {calls} calls, {ends['effects']} effects, {ends['undone']} reverts")
    print(", ".join(f"{how} {count}" for how, count in ends.most_common()))


# Judges that can fail: each is shown registries that break its invariant.


def reports(judge: Any, **broken: Any) -> bool:
    return any(any(judge(play(steps_of(seed), **broken))) for seed in range(TRIES))


def unasked(world: World, registry: Registry) -> Registry:
    rule = Rule(mode="auto", tool="*")
    source = PolicySource(name="broken", rules=(rule,))
    return registry.with_controls(policy=Policy(sources=(source,)))


def test_effects_without_a_yes_are_noticed() -> None:
    assert reports(unapproved, change=unasked)


class Forgetful(MemoryKeys):
    """A store that knows of no key."""

    async def claim(
        self, key: str, digest: str, *, is_repeatable: bool = False
    ) -> Lease | KeyedCall:
        return Lease(key=key, token="")

    async def begin(self, lease: Lease) -> bool:
        return True

    async def settle(self, lease: Lease, call: KeyedCall) -> bool:
        return True


class Lying(MemoryKeys):
    """A store that answers with something else."""

    async def claim(
        self, key: str, digest: str, *, is_repeatable: bool = False
    ) -> Lease | KeyedCall:
        known = await super().claim(key, digest, is_repeatable=is_repeatable)
        if isinstance(known, Lease) or known.ending != "ok":
            return known
        return KeyedCall(digest=known.digest, ending="ok", result={"n": 99})


@pytest.mark.parametrize("store", [Forgetful, Lying])
def test_a_key_that_does_not_hold_is_noticed(store: type[MemoryKeys]) -> None:
    assert reports(doubled, change=lambda _, registry: registry.with_controls(keys=store()))


def deaf(world: World, registry: Registry) -> Registry:
    class Never(list[str]):
        def append(self, request: str) -> None: ...

    world.told = Never()
    return registry


def twice(world: World, registry: Registry) -> Registry:
    async def again(failure: Any) -> None:
        world.told.append(failure.error.request_id)

    return registry.with_hooks(on_error=[again])


@pytest.mark.parametrize("change", [deaf, twice])
def test_failures_told_never_or_twice_are_noticed(change: Any) -> None:
    assert reports(untold, change=change)


def test_results_that_break_their_schema_are_noticed() -> None:
    assert reports(misshapen, output_check="off")


class Leaving(Handlers):
    """Handlers that leave something running."""

    async def done(self, step: Step, ctx: Any) -> object:
        self.kept = asyncio.create_task(asyncio.sleep(100_000))
        return await super().done(step, ctx)


class Ignoring(Handlers):
    """Handlers that go on alone, whoever calls them off."""

    async def work(self, input: Any, ctx: Any) -> object:
        self.kept = asyncio.ensure_future(super().work(input, ctx))
        return await asyncio.shield(self.kept)

    async def done(self, step: Step, ctx: Any) -> object:
        return await super().done(replace(step, ending="ok"), ctx)


@pytest.mark.parametrize("handlers", [Leaving, Ignoring])
def test_what_runs_on_is_noticed(handlers: type[Handlers]) -> None:
    assert reports(lingering, handlers=handlers)


def test_a_place_that_does_not_come_back_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RateLimit, "leave_after", lambda *_: None)
    assert reports(lingering)


class OldestFirst(MemoryJournal):
    """A journal in the wrong order."""

    async def entries(self) -> list[Entry]:
        return (await super().entries())[::-1]


class Unmarking(MemoryJournal):
    """A journal that forgets what was reverted."""

    async def reverted(self, entry: str) -> None:
        await self.release(entry)


@pytest.mark.parametrize("journal", [OldestFirst, Unmarking])
def test_reverts_out_of_order_or_twice_are_noticed(journal: type[MemoryJournal]) -> None:
    assert reports(disordered, change=lambda _, registry: registry.with_controls(journal=journal()))
