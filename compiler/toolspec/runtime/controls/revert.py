"""Reverting of journal entries, newest first."""

from __future__ import annotations

import asyncio
from contextvars import ContextVar
from weakref import WeakKeyDictionary

from toolspec.runtime.call import Call
from toolspec.runtime.context import choose, opened
from toolspec.runtime.controls.access import signing_in
from toolspec.runtime.controls.journal import RevertOutcome
from toolspec.runtime.errors import ToolError
from toolspec.runtime.failure import LoggedFailure, is_passing
from toolspec.runtime.invocation import invocable
from toolspec.runtime.record import Record
from toolspec.runtime.service import member
from toolspec.runtime.values import copied

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence
    from typing import Any, Protocol, TypeAlias

    from toolspec.runtime.context import AnyContext, CallPlan
    from toolspec.runtime.controls.journal import Status
    from toolspec.runtime.controls.timeout import Timeout
    from toolspec.runtime.stores import Entry, Journal

    class RevertPlan(CallPlan, Protocol):
        """The plan of a revertible tool."""

        timeout: Timeout | None

    Plans: TypeAlias = Callable[[str], RevertPlan | None]

_UNKNOWN = {
    "begun": "the call has not finished: its effect is unknown, and there is no output to revert it with",
    "reverting": "another revert of the call has not finished: its effect is unknown",
}
_FAILED_ELSEWHERE = "another revert of the call has failed"
_NOT_STORED = "the journal could not be written and counts this as unknown"


_WITHIN: ContextVar[frozenset[asyncio.Task[Any]]] = ContextVar("_WITHIN", default=frozenset())
"""The running reverts that the current code was called from."""


class Selection(Record):
    """The entries of some callers, tools or ids; None for any. A bare name means every version."""

    caller: str | None = None
    tool: str | None = None
    entries: frozenset[str] | None = None

    def has(self, entry: Entry) -> bool:
        """Return whether an entry is selected."""
        return (
            self.caller in (None, entry.caller)
            and self.tool in (None, entry.tool, entry.tool.partition("@")[0])
            and (self.entries is None or entry.id in self.entries)
        )


class Reverting:
    """Reverts entries of a journal one at a time, claiming each before it runs.

    The claim prevents a second revert by another event loop or process. A revert that has begun
    finishes and is stored even if its caller is cancelled; the caller waits for that, unless it is
    cancelled a second time.
    """

    __slots__ = ("_journal", "_locks", "_reported", "_running")

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._locks: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock]
        self._locks = WeakKeyDictionary()
        self._reported: set[str] = set()
        self._running: set[asyncio.Task[tuple[RevertOutcome, ...]]] = set()

    async def last(self, plans: Plans, chosen: Selection) -> RevertOutcome | None:
        """Revert the newest entry and return the outcome; None without entries.

        Entries that this program cannot revert are reported once, then skipped: unfinished calls
        and reverts as `unknown`, unknown tools as `failed`.
        """
        return next(iter(await self._outcomes(plans, chosen, newest=True)), None)

    async def all(self, plans: Plans, chosen: Selection) -> tuple[RevertOutcome, ...]:
        """Revert every entry and return the outcomes; a failure does not stop the others.

        An entry that another process reverts meanwhile has no outcome here.
        """
        return await self._outcomes(plans, chosen, newest=False)

    async def entries(self, plans: Plans, chosen: Selection) -> tuple[Entry, ...]:
        """Return the entries of this program's mode, the newest first."""
        entries = await self._entries_of(chosen)
        return tuple(entry for entry in entries if _is_of_mode(entry, plans))

    async def forget(self, plans: Plans, entry: str) -> None:
        """Drop an entry without a revert. Raises ToolError `not_found` for an unknown id."""
        await self._entry(plans, entry)
        await self._journal.forget(entry)

    async def release(self, plans: Plans, entry: str) -> None:
        """Let an entry be reverted again whose revert has not finished.

        Raises ToolError `not_found` for an unknown id, `conflict` for an entry in another state.
        """
        state = (await self._entry(plans, entry)).state
        if state != "reverting":
            message = f"the entry `{entry}` is `{state}`: only an unfinished revert can be released"
            raise ToolError.conflict(message, code="not_reverting")
        await self._journal.release(entry)

    async def _entry(self, plans: Plans, entry: str) -> Entry:
        for found in await self.entries(plans, Selection(entries=frozenset((entry,)))):
            return found
        message = f"the journal has no entry `{entry}`"
        raise ToolError.not_found(message, code="unknown_entry")

    async def _outcomes(
        self, plans: Plans, chosen: Selection, *, newest: bool
    ) -> tuple[RevertOutcome, ...]:
        self._check_not_nested()
        lock = self._locks.setdefault(asyncio.get_running_loop(), asyncio.Lock())
        await lock.acquire()
        is_cancelled = asyncio.Event()

        async def work() -> tuple[RevertOutcome, ...]:
            _WITHIN.set(_WITHIN.get().union((task,)))
            outcomes: list[RevertOutcome] = []
            try:
                entries = await self.entries(plans, chosen)
                for entry in self._unreported(entries, plans) if newest else entries:
                    if is_cancelled.is_set() or (newest and outcomes):
                        break
                    outcome = await self._outcome(entry, plans)
                    if outcome is None:
                        continue
                    outcomes.append(outcome)
                    if newest and not is_cancelled.is_set():
                        self._reported.add(entry.id)
            finally:
                lock.release()
            return tuple(outcomes)

        task = asyncio.create_task(work())
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            is_cancelled.set()
            await asyncio.wait((task,))
            raise

    def _check_not_nested(self) -> None:
        if not self._running.isdisjoint(_WITHIN.get()):
            message = (
                "a revert cannot start another revert of the same journal: it would wait for itself"
            )
            raise ToolError.conflict(message, code="within_revert")

    def _unreported(self, entries: Sequence[Entry], plans: Plans) -> list[Entry]:
        """Return the entries except those already reported as not revertible by this program."""
        return [
            entry for entry in entries if entry.id not in self._reported or _plan_for(entry, plans)
        ]

    async def _entries_of(self, chosen: Selection) -> list[Entry]:
        try:
            entries = await self._journal.entries()
        except BaseException as problem:
            if isinstance(problem, ToolError) or is_passing(problem):
                raise
            message = "the journal cannot be read"
            raise ToolError.unavailable(message, code="store_unavailable") from problem
        return [entry for entry in entries if chosen.has(entry)]

    async def _outcome(self, entry: Entry, plans: Plans) -> RevertOutcome | None:
        """Revert an entry and return the outcome; None if another process has reverted it."""
        ended = await self._reverted(entry, _plan_for(entry, plans))
        if ended is None:
            return None
        status, message = ended
        return RevertOutcome(entry=entry.id, tool=entry.tool, status=status, message=message)

    async def _reverted(self, entry: Entry, plan: RevertPlan | None) -> tuple[Status, str] | None:
        if entry.state != "done":
            return "unknown", _UNKNOWN[entry.state]
        if plan is None:
            return "failed", f"no tool `{entry.tool}` can revert it here"
        context = opened(plan)
        context.caller = entry.caller
        context._loop = asyncio.get_running_loop()  # noqa: SLF001 - internal field of the runtime
        if plan.tool.instances:
            choose(context, entry.instance)
        try:
            await _in_time(plan, context, _sign_in(plan, context))
            if not await self._journal.reverting(entry.id):
                return await self._claimed_by_another(entry)
        except BaseException as problem:
            if is_passing(problem):
                raise
            return "failed", _message_of(problem, context)
        status, message = await _attempt(plan, entry, context)
        if not await self._is_stored(entry, status, context):
            message = f"{message}; {_NOT_STORED}" if message else _NOT_STORED
        return status, message

    async def _claimed_by_another(self, entry: Entry) -> tuple[Status, str] | None:
        """Return the outcome of an entry that could not be claimed; None if it is gone."""
        for stored in await self._journal.entries():
            if stored.id == entry.id:
                if stored.state == "done":  # released since
                    return "failed", _FAILED_ELSEWHERE
                return "unknown", _UNKNOWN[stored.state]
        return None

    async def _is_stored(self, entry: Entry, status: Status, context: AnyContext) -> bool:
        """Store how a revert ended; one with unknown outcome stays claimed."""
        with LoggedFailure(context, "a revert ended, but the journal could not be written"):
            if status == "reverted":
                await self._journal.reverted(entry.id)
            elif status == "failed":
                await self._journal.release(entry.id)
            return True
        return False


def _is_of_mode(entry: Entry, plans: Plans) -> bool:
    """Return whether an entry was made in the mode of this program; other modes are skipped."""
    plan = plans(entry.tool)
    return plan is None or plan.tool.mode == entry.mode


def _plan_for(entry: Entry, plans: Plans) -> RevertPlan | None:
    """Return the plan that can revert an entry, or None.

    The tool may belong to another program that shares the journal. A bare name resolves to the
    highest version, but only the exact version of the entry counts.
    """
    plan = plans(entry.tool) if entry.state == "done" else None
    if plan is None or not plan.tool.revert:
        return None
    return plan if plan.tool.version == entry.tool.partition("@")[2] else None


async def _attempt(plan: RevertPlan, entry: Entry, context: AnyContext) -> tuple[Status, str]:
    try:
        return await _run(plan, entry, context)
    except BaseException as problem:
        if is_passing(problem):
            raise
        is_unknown = isinstance(problem, ToolError) and problem.category == "timeout"
        return "unknown" if is_unknown else "failed", _message_of(problem, context)


def _message_of(problem: BaseException, context: AnyContext) -> str:
    if isinstance(problem, ToolError):
        return problem.message
    context.log.error("revert failed unexpectedly", exc_info=problem)
    return f"the service's log has the reason under request id {context.request_id}"


async def _sign_in(plan: RevertPlan, context: AnyContext) -> None:
    """Get the caller's credentials before claiming anything, in case that fails."""
    stage = signing_in(plan.service)
    if stage is not None:
        await stage(Call(plan, context))


async def _in_time(
    plan: RevertPlan, context: AnyContext, work: Coroutine[Any, Any, object]
) -> object:
    return await (work if plan.timeout is None else plan.timeout.run(context, work))


async def _run(plan: RevertPlan, entry: Entry, context: AnyContext) -> tuple[Status, str]:
    """Return the status and message of the service's revert, run with the tool's timeouts."""
    handler = member(plan.service.handlers, f"revert_{plan.tool.method}")
    if handler is None:
        return "failed", f"`revert_{plan.tool.method}` has been removed since the service was bound"
    values = (copied(entry.input), copied(entry.output), copied(entry.metadata))
    revert = invocable(handler, 3)
    if plan.tool.base64 == "bytes":
        from toolspec.runtime.bytes_codec import comparing_bytes

        revert = comparing_bytes(revert, plan.tool)
    work = revert(*values, context)
    reason = await _in_time(plan, context, work)
    if reason is False:
        reason = "its revert reports that it did not undo the call"
    return ("failed", reason) if isinstance(reason, str) else ("reverted", "")
