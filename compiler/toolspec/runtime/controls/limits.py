"""Configuration of limits: concurrency, rates and timeouts."""

from __future__ import annotations

from toolspec.runtime.record import Record

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    Shared: TypeAlias = Literal["registry", "service", "tool", "caller"]

_SHARED = ("registry", "service", "tool", "caller")
_INFINITY = float("inf")


class Rate(Record):
    """At most `calls` in any `seconds`, counted together per `shared`.

    A caller without a name counts as its session, if the transport has sessions. Since clients can
    open any number of sessions, a server without tokens should set a rate for the service as well.
    """

    calls: int
    seconds: float
    shared: Shared = "service"


class Limits(Record):
    """Limits of a registry: `concurrency` is per service, None for unlimited.

    `idle` and `total` are seconds, for tools that declare none.
    """

    concurrency: int | None = 25
    rates: tuple[Rate, ...] = ()
    idle: float | None = None
    total: float | None = None


def limits_problems(limits: object) -> list[str]:
    """Return an error line for each invalid limit; None is valid.

    Invalid are wrong types, and limits that would reject every call.
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
    """Return a value as text, with its type if that may be the error."""
    return f"{value!r} ({type(value).__name__})"
