"""Counters of `limits.py` in a store, for all processes that share it."""

from __future__ import annotations

import asyncio

from toolspec.runtime.controls.limits import counted_caller, too_many, too_often
from toolspec.runtime.controls.undoing import run_or_undo
from toolspec.runtime.failure import LoggedFailure
from toolspec.runtime.names import exact_name
from toolspec.runtime.stores import Excess, Slots, Window

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from toolspec.runtime.call import Call, Leave, Outcome, Stage
    from toolspec.runtime.context import AnyContext
    from toolspec.runtime.controls.limits import Limits, Rate
    from toolspec.runtime.definition import ToolDefinition
    from toolspec.runtime.stores import Lease, LimitStore

_NANOSECONDS = 1_000_000_000


def limiting(tool: ToolDefinition, service: str, limits: Limits, store: LimitStore) -> Stage | None:
    """Return the stage that admits the calls of a tool; None without limits.

    Raises ToolError `rate_limit` like the limits of one process.
    """
    limit, rates = limits.concurrency, limits.rates
    if limit is None and not rates:
        return None
    slots = None if limit is None else Slots(name=f"service {service}", limit=limit)
    names = {"registry": "", "service": service, "tool": exact_name(tool)}

    def window(rate: Rate, context: AnyContext) -> Window:
        counted = counted_caller(context) if rate.shared == "caller" else names[rate.shared]
        name = f"{rate.calls} in {rate.seconds:g} s for {rate.shared} {counted!r}"
        return Window(name=name, calls=rate.calls, seconds=rate.seconds)

    async def free(entered: Lease | Excess) -> None:
        if slots is not None and not isinstance(entered, Excess):
            await store.leave(entered)

    async def enter(call: Call) -> None:
        windows = [window(rate, call.context) for rate in rates]
        entered = await run_or_undo(call.context, store.enter(windows, slots), free)
        if isinstance(entered, Excess):
            if entered.window is None:
                raise too_many(service, limit or 0)
            raise too_often(rates[entered.window], round(entered.wait * _NANOSECONDS))
        if slots is not None:
            call.leaving = (*call.leaving, _leaving(store, entered))

    return enter


def _leaving(store: LimitStore, lease: Lease) -> Leave:
    """Return the stage that frees a slot once all work of the call has ended."""

    async def leave(call: Call, _: Outcome) -> None:
        context = call.context
        running = [work for work in context._left if not work.done()]  # noqa: SLF001 - internal field of the runtime

        async def free() -> None:
            with LoggedFailure(context, "its slot could not be freed, and is until its lease ends"):
                await asyncio.wait(running)
                await store.leave(lease)

        if running:
            call.plan.adopt(asyncio.create_task(free()))
        else:
            await store.leave(lease)

    return leave
