"""How much at a time and for how long: concurrency, rates, and the two timeouts."""

from __future__ import annotations

from toolspec.runtime.record import Record

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    Shared: TypeAlias = Literal["registry", "service", "tool", "caller"]

_SHARED = ("registry", "service", "tool", "caller")
_INFINITY = float("inf")


class Rate(Record):
    """At most `calls` in any `seconds`, counted together for what `shared` names.

    A caller without a name is its session, where the transport has one. Sessions cost their clients
    nothing: for a server without tokens a rate of a service, too, is what holds.
    """

    calls: int
    seconds: float
    shared: Shared = "service"


class Limits(Record):
    """`concurrency` is per service, None for no limit.

    `idle` and `total` are seconds, and hold for tools that declare none.
    """

    concurrency: int | None = 25
    rates: tuple[Rate, ...] = ()
    idle: float | None = None
    total: float | None = None


def limits_problems(limits: object) -> list[str]:
    """Return what is wrong with limits that a program gives, in a line each; None is right.

    Wrong is what is of another type, and what would let nothing through.
    """
    if limits is None:
        return []
    if not isinstance(limits, Limits):
        return [f"the limits are {_shown(limits)}: they have to be a `Limits`"]
    problems = []
    if limits.concurrency is not None and not _is_count(limits.concurrency):
        value = _shown(limits.concurrency)
        problems.append(
            f"`concurrency` is {value}: it has to be a whole number more than 0, or None"
        )
    problems += [
        f"`{name}` is {_shown(value)}: it has to be a number of seconds more than 0, or None"
        for name in ("idle", "total")
        if (value := getattr(limits, name)) is not None and not _is_time(value)
    ]
    rates: object = limits.rates
    if not isinstance(rates, (tuple, list)):
        return [*problems, f"`rates` is {_shown(rates)}: it has to be a tuple of `Rate`"]
    return [*problems, *(line for rate in rates for line in _rate_problems(rate))]


def _rate_problems(rate: object) -> list[str]:
    if not isinstance(rate, Rate):
        return [f"a rate is {_shown(rate)}: it has to be a `Rate`"]
    problems = []
    if not _is_count(rate.calls):
        problems.append(f"{rate!r}: `calls` has to be a whole number more than 0")
    if not _is_time(rate.seconds):
        problems.append(f"{rate!r}: `seconds` has to be a number more than 0")
    if rate.shared not in _SHARED:
        problems.append(f"{rate!r}: `shared` is one of {', '.join(_SHARED)}")
    return problems


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _is_time(value: object) -> bool:
    return _is_count(value) or (isinstance(value, float) and 0 < value < _INFINITY)  # no NaN


def _shown(value: object) -> str:
    """Return a value as text, with its type where that may be what is wrong."""
    return f"{value!r} ({type(value).__name__})"
