"""The invariants: each judge returns what breaks its own, as sentences."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

import jsonschema_rs
from world import CHUNK, OUTPUT, TOOLS, Effect, World, Yes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_FITS = {text: jsonschema_rs.validator_for(text).is_valid for text in (CHUNK, OUTPUT)}


def unapproved(world: World) -> Iterator[str]:
    """Tools of tier 2 and 3 have an effect only with a yes, and one yes given ahead is for one."""
    used: set[object] = set()
    for effect in world.effects:
        step, tool = effect.step, TOOLS[effect.step.name]
        if step.ending == "asks" and not _asked(world, effect):
            yield f"{step} had its effect without the permission that it asked for"
        if tool.risk == 0 or _agreed(world, effect):
            continue
        if step.consent == "ahead":
            continue
        fits = step.consent == "shared" and step.name == "demo_wipe" and step.value == 0
        if not fits or step.consent in used:
            yield f"{step} had its effect and nobody said yes"
        used.add(step.consent)


def _agreed(world: World, effect: Effect) -> bool:
    return any(not yes.reason and _holds(yes, effect) for yes in world.answers)


def _asked(world: World, effect: Effect) -> bool:
    return any(yes.reason and _holds(yes, effect) for yes in world.answers)


def _holds(yes: Yes, effect: Effect) -> bool:
    """Return whether an answer covers an effect: its own, or below tier 3 a remembered one."""
    if yes.turn > effect.turn:
        return False
    if yes.step is effect.step:
        return True
    remembered = TOOLS[effect.step.name].risk < 3 and yes.step.name == effect.step.name
    same = yes.choice == "always" or (yes.choice == "session" and yes.caller == effect.caller)
    return remembered and same


def doubled(world: World) -> Iterator[str]:
    """One key, one tool, one caller: one effect, one set of arguments, one answer."""
    effects: dict[object, list[Effect]] = defaultdict(list)
    for effect in world.effects:
        if effect.step.key is not None:
            effects[effect.step.name, effect.caller, effect.step.key].append(effect)
    for key, found in effects.items():
        if len(found) > 1:
            yield f"{key} had {len(found)} effects: {[one.step.number for one in found]}"
    answers: dict[object, set[str]] = defaultdict(set)
    for end in world.ended:
        if end.how == "ok" and end.step.key is not None:
            whole = "".join(map(str, end.values))
            answers[end.step.name, end.step.caller, end.step.key].add(whole)
    for key, given in answers.items():
        if len(given) > 1:
            yield f"{key} was answered in {len(given)} ways: {given}"


def untold(world: World) -> Iterator[str]:
    """on_error is told of each failed call once, and of no other; no call ends untold."""
    told = Counter(world.told)
    for end in world.ended:
        if end.how == "cancelled" and end.step.leave is None:
            yield f"nobody cancelled {end.step}, and it ended so"
        expected = 1 if end.how == "failed" else 0
        if told[str(end.step.number)] != expected:
            yield f"on_error was told {told[str(end.step.number)]} times of {end}"
    if len(world.told) != sum(end.how == "failed" for end in world.ended):
        yield f"on_error was told of calls that there were not: {world.told}"


def misshapen(world: World) -> Iterator[str]:
    """What is returned, whole or in chunks, satisfies its schema."""
    for end in world.ended:
        tool = TOOLS.get(end.step.name)
        if tool is None:
            continue
        schema = CHUNK if tool.streaming else OUTPUT
        for value in end.values:
            if not _FITS[schema](value):
                yield f"{value!r} was a result of {end.step}"


def lingering(world: World) -> Iterator[str]:
    """A call that was left does not run on, unless it ignores that; in the end nothing runs."""
    for end in world.ended:
        if end.left_running and end.step.ending != "stubborn":
            yield f"{end.step} was {end.how} and its handler still ran"
    if world.running:
        yield f"in the end handlers still ran: {world.running}"
    if world.tasks:
        yield f"in the end there were tasks: {world.tasks}"
    refused = [str(one) for one in world.probes if isinstance(one, BaseException)]
    if refused:
        yield f"in the end places were missing: {refused}"


def disordered(world: World) -> Iterator[str]:
    """Each revert goes from the newest call to the oldest, and undoes what happened, once."""
    order = {number: at for at, number in enumerate(world.begun)}
    happened = {effect.step.number for effect in world.effects}
    latest: dict[int, int] = {}
    for revert, number, _ in world.undone:
        if number not in happened:
            yield f"call {number} was undone and had no effect"
        elif order[number] >= latest.get(revert, len(order)):
            yield f"revert {revert} undid call {number} after an older one"
        latest[revert] = order.get(number, 0)
    times = Counter(number for _, number, how in world.undone if how == "ok")
    for number, count in times.items():
        if count > 1:
            yield f"call {number} was undone {count} times"


JUDGES: tuple[Callable[[World], Iterator[str]], ...] = (
    unapproved,
    doubled,
    untold,
    misshapen,
    lingering,
    disordered,
)


def verdict(world: World) -> list[str]:
    """Return everything that breaks an invariant."""
    return [f"{judge.__name__}: {problem}" for judge in JUDGES for problem in judge(world)]
