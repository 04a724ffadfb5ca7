"""What can happen in a history: calls with all that can befall them, and reverts, each at its time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

TOOLS = (
    "demo_look",
    "demo_add",
    "demo_wipe",
    "demo_charge",
    "demo_post",
    "demo_add",
    "demo_wipe",
    "demo_charge",
    "demo_post",
    "demo_tell",
    "demo_pour",
)
OTHERS = ("demo_lok", "demo_revert_last", "demo_revert_all")
"""A name that no tool has, and what is no call."""

CONSENTS = (
    *("yes", "yes", "yes", "yes", "yes", "yes", "session", "always", "ahead", "ahead", "ahead"),
    *("late", "no", "nobody", "silent", "raises", "parks", "expired", "other", "shared", "shared"),
)
ENDINGS = (
    *("ok", "ok", "ok", "ok", "ok", "ok", "busy", "gone", "refused", "broken", "exit", "shape"),
    *("slow", "stubborn", "unverified", "asks", "astray"),
)
HOOKS = (
    *("", "", "", "", "", "", "", "", "", "", "before", "middleware", "answer", "after"),
    *("replace", "misplace", "response", "error"),
)
REVERTS = ("ok", "ok", "stuck", "raises")


@dataclass(frozen=True)
class Step:
    """One thing that somebody does. `leave` is when they go: after so many seconds and turns."""

    number: int
    at: int
    name: str
    value: int = 0
    key: str | None = None
    caller: str | None = "ann"
    consent: str = "yes"
    form: str = "call"
    ending: str = "ok"
    hook: str = ""
    revert: str = "ok"
    leave: tuple[int, int] | None = None
    chunks: int | None = None

    @property
    def arguments(self) -> dict[str, object]:
        """What is sent; a value of 3 is one that the schema refuses."""
        sent: dict[str, object] = {"n": "three" if self.value == 3 else self.value}
        return sent if self.key is None else {**sent, "idempotency_key": self.key}


def history(random: Random, longest: int = 16) -> tuple[Step, ...]:
    """Return random steps, as they are numbered."""
    return tuple(_step(random, number) for number in range(random.randint(1, longest)))


def _step(random: Random, number: int) -> Step:
    name = random.choice(OTHERS if random.random() < 0.2 else TOOLS)
    keyed = name in {"demo_charge", "demo_post", "demo_pour"}
    required = name == "demo_post" and random.random() < 0.9
    leaves = random.random() < 0.25
    return Step(
        number=number,
        at=random.randint(0, 8),
        name=name,
        value=random.choice((0, 0, 0, 0, 0, 0, 0, 1, 2, 3)),
        key=random.choice("aab") if keyed and (required or random.random() < 0.7) else None,
        caller=random.choice(("ann", "ann", "ann", "ann", "ann", "bob", "bob", None)),
        consent=random.choice(CONSENTS),
        form=random.choice(("call", "call", "stream")),
        ending=random.choice(ENDINGS),
        hook=random.choice(HOOKS),
        revert=random.choice(REVERTS),
        leave=(random.randint(0, 5), random.randint(0, 6)) if leaves else None,
        chunks=random.choice((None, None, 0, 1)),
    )


def shortest(steps: Sequence[Step], fails: object) -> tuple[Step, ...]:
    """Return what is left of a failing history when nothing more can be left out."""
    assert callable(fails)
    kept = tuple(steps)
    for step in steps:
        fewer = tuple(one for one in kept if one is not step)
        if fails(fewer):
            kept = fewer
    return kept
