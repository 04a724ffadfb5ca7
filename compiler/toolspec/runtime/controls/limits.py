"""Rate limits and concurrency limits: configuration and counters."""

from __future__ import annotations

import time

from toolspec.runtime.call_options import APPROVAL_SECONDS
from toolspec.runtime.errors import ToolError
from toolspec.runtime.names import exact_name
from toolspec.runtime.record import Record

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Literal, TypeAlias

    from toolspec.runtime.context import AnyContext
    from toolspec.runtime.definition import ToolDefinition

    Shared: TypeAlias = Literal["registry", "service", "tool", "caller"]

    Clock: TypeAlias = Callable[[], int]
    """Monotonic time in nanoseconds."""


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

    `idle` and `total` are seconds, for tools that declare none. `approval` is the number of seconds
    that an approver has to answer; then the call is refused. Rates and concurrency count in the
    store of the registry, so in all processes that share it, unless `per_process` is true.
    """

    concurrency: int | None = 25
    rates: tuple[Rate, ...] = ()
    idle: float | None = None
    total: float | None = None
    approval: float = APPROVAL_SECONDS
    per_process: bool = False


def limits_problems(limits: object) -> list[str]:
    """Return an error line for each invalid limit; None is valid.

    A limit is invalid if it has the wrong type or would reject every call.
    """
    if limits is None:
        return []
    if not isinstance(limits, Limits):
        return [f"the limits are {_described(limits)}: they must be a `Limits`"]
    problems = []
    if limits.concurrency is not None and not _is_count(limits.concurrency):
        value = _described(limits.concurrency)
        problems.append(
            f"`concurrency` is {value}: it must be a whole number greater than 0, or None"
        )
    problems += [
        f"`{name}` is {_described(value)}: it must be a number of seconds greater than 0, or None"
        for name in ("idle", "total")
        if (value := getattr(limits, name)) is not None and not is_time(value)
    ]
    if not is_time(limits.approval):
        value = _described(limits.approval)
        problems.append(f"`approval` is {value}: it must be a number of seconds greater than 0")
    rates: object = limits.rates
    if not isinstance(rates, (tuple, list)):
        return [*problems, f"`rates` is {_described(rates)}: it must be a tuple of `Rate`"]
    return [*problems, *(line for rate in rates for line in _rate_problems(rate))]


def _rate_problems(rate: object) -> list[str]:
    if not isinstance(rate, Rate):
        return [f"a rate is {_described(rate)}: it must be a `Rate`"]
    problems = []
    if not _is_count(rate.calls):
        problems.append(f"{rate!r}: `calls` must be a whole number greater than 0")
    if not is_time(rate.seconds):
        problems.append(f"{rate!r}: `seconds` must be a number greater than 0")
    if rate.shared not in _SHARED:
        problems.append(f"{rate!r}: `shared` must be one of {', '.join(_SHARED)}")
    return problems


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def is_time(value: object) -> bool:
    """Return whether a value is a finite number of seconds greater than 0."""
    return _is_count(value) or (isinstance(value, float) and 0 < value < _INFINITY)  # no NaN


def _described(value: object) -> str:
    """Return a value as text, with its type if that may be the error."""
    return f"{value!r} ({type(value).__name__})"


_SECOND = 1_000_000_000
_MILLISECOND = 1_000_000

BUSY_RETRY_MS = 1_000
"""Retry delay for a service at its concurrency limit, since the duration of a call is unknown."""

_CALLERS_KEPT = 64
"""Number of callers' windows below which none are swept."""


class ConcurrencySlots:
    """Concurrency counter of a service.

    `unfinished` are calls with a response whose work still runs. Whether it has ended is checked
    when a slot is needed, so no event loop has to be running.
    """

    __slots__ = ("in_use", "limit", "unfinished")

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.in_use = 0
        self.unfinished: list[AnyContext] = []

    def are_full(self) -> bool:
        """Return whether the limit is reached, after releasing calls whose work has ended."""
        if self.in_use >= self.limit and self.unfinished:
            running = [context for context in self.unfinished if _is_running(context)]
            self.in_use -= len(self.unfinished) - len(running)
            self.unfinished = running
        return self.in_use >= self.limit


class Window:
    """A sliding window: a ring with the times of the latest calls."""

    __slots__ = ("_oldest", "_times", "rate")

    def __init__(self, rate: Rate) -> None:
        self.rate = rate
        self._times: list[int] = []
        self._oldest = 0

    def wait(self, now: int) -> int:
        """Return the nanoseconds until the next call is allowed."""
        if len(self._times) < self.rate.calls:
            return 0
        return max(0, self._times[self._oldest] + _nanoseconds(self.rate) - now)

    def take(self, now: int) -> None:
        """Count a call."""
        if len(self._times) < self.rate.calls:
            self._times.append(now)
        else:
            self._times[self._oldest] = now
            self._oldest = (self._oldest + 1) % self.rate.calls

    def is_over(self, now: int) -> bool:
        """Return whether all its calls have left the window."""
        times = self._times
        return not times or times[self._oldest - 1] + _nanoseconds(self.rate) <= now


class RateLimits:
    """All counters of a registry; `of(tool, service)` returns those that limit a tool."""

    __slots__ = ("_callers", "_clock", "_limits", "_slots", "_sweep_at", "_windows")

    def __init__(self, limits: Limits, clock: Clock = time.monotonic_ns) -> None:
        self._limits = limits
        self._clock = clock
        self._slots: dict[str, ConcurrencySlots] = {}
        self._windows: dict[tuple[Rate, str], Window] = {}
        self._callers: dict[tuple[Rate, str | None], Window] = {}
        self._sweep_at = _CALLERS_KEPT

    def of(self, tool: ToolDefinition, service: str) -> RateLimit | None:
        """Return the limits of one tool; None if it has none."""
        limit, rates = self._limits.concurrency, self._limits.rates
        if limit is None and not rates:
            return None
        slots = None if limit is None else self._slots.setdefault(service, ConcurrencySlots(limit))
        names = {"registry": "", "service": service, "tool": exact_name(tool)}
        windows = [
            self._windows.setdefault((rate, names[rate.shared]), Window(rate))
            for rate in rates
            if rate.shared != "caller"
        ]
        callers = tuple(rate for rate in rates if rate.shared == "caller")
        return RateLimit(self, service, slots, tuple(windows), callers)

    def count(self, windows: Iterable[Window], rates: Iterable[Rate], caller: str | None) -> None:
        """Count a call in all windows. Raises ToolError `rate_limit`, counting it in none."""
        now = self._clock()
        all_windows = [*windows, *(self._window(rate, caller, now) for rate in rates)]
        waits = [(window.wait(now), window) for window in all_windows]
        longest, slowest = max(waits, key=lambda entry: entry[0])
        if longest > 0:
            raise too_often(slowest.rate, longest)
        for window in all_windows:
            window.take(now)

    def _window(self, rate: Rate, caller: str | None, now: int) -> Window:
        window = self._callers.get((rate, caller))
        if window is None:
            self._sweep(now)
            window = self._callers[rate, caller] = Window(rate)
        return window

    def _sweep(self, now: int) -> None:
        """Drop expired windows whenever the number of callers' windows has doubled."""
        if len(self._callers) < self._sweep_at:
            return
        self._callers = {
            key: window for key, window in self._callers.items() if not window.is_over(now)
        }
        self._sweep_at = max(_CALLERS_KEPT, 2 * len(self._callers))


class RateLimit:
    """Admits and counts the calls of one tool."""

    __slots__ = ("_callers", "_counters", "_rated", "_service", "_slots", "_windows")

    def __init__(
        self,
        counters: RateLimits,
        service: str,
        slots: ConcurrencySlots | None,
        windows: tuple[Window, ...],
        callers: tuple[Rate, ...],
    ) -> None:
        self._counters = counters
        self._service = service
        self._slots = slots
        self._windows = windows
        self._callers = callers
        self._rated = bool(windows or callers)

    def enter(self, context: AnyContext) -> None:
        """Count a call as running; each must be ended with `leave_after`.

        Raises ToolError `rate_limit`: code `too_many_calls` at the concurrency limit, `too_often`
        at a rate limit. A rejected call is not counted.
        """
        slots = self._slots
        if slots is not None and slots.are_full():
            raise too_many(self._service, slots.limit)
        if self._rated:
            self._counters.count(self._windows, self._callers, counted_caller(context))
        if slots is not None:
            slots.in_use += 1

    def leave_after(self, context: AnyContext) -> None:
        """End a call in the counter once all of its work has ended, now or later."""
        slots = self._slots
        if slots is None:
            return
        if context._left and _is_running(context):  # noqa: SLF001 - internal field of the runtime
            slots.unfinished.append(context)
        else:
            slots.in_use -= 1


def _is_running(context: AnyContext) -> bool:
    return not all(work.done() for work in context._left)  # noqa: SLF001 - internal field of the runtime


def counted_caller(context: AnyContext) -> str | None:
    """Return the caller that a call counts for; the session for a caller without a name."""
    if context.caller is not None or not context.transport:
        return context.caller
    session = context.transport.get("session")
    return None if session is None else f"session {session}"


def _nanoseconds(rate: Rate) -> int:
    return round(rate.seconds * _SECOND)


def too_many(service: str, limit: int) -> ToolError:
    """Return the error for a call beyond the concurrency limit."""
    return ToolError.rate_limit(
        f"`{service}` is busy: {limit} calls are running, which is the limit",
        code="too_many_calls",
        retry_after_ms=BUSY_RETRY_MS,
        details={"service": service, "concurrency": limit},
    )


def too_often(rate: Rate, wait: int) -> ToolError:
    """Return the error for a call beyond a rate, allowed again in `wait` nanoseconds."""
    milliseconds = -(-wait // _MILLISECOND)
    return ToolError.rate_limit(
        f"{rate.calls} calls in {rate.seconds:g} s are allowed for one {rate.shared}: "
        f"retry in {milliseconds} ms",
        code="too_often",
        retry_after_ms=milliseconds,
        details={"calls": rate.calls, "seconds": rate.seconds, "shared": rate.shared},
    )
