"""The journal of revertible calls: its entries, and the stages that write them.

An entry is begun before the handler and finished after it. If the handler raises, the entry stays
`begun`, because an effect may have happened; a revert reports it as unknown. Only a ToolError with
`{"effect": "none"}` in its `details` drops it.
"""

from __future__ import annotations

import os
import time

from toolspec.runtime.awaiting import closed
from toolspec.runtime.controls.undoing import run_or_undo
from toolspec.runtime.errors import ToolError
from toolspec.runtime.failure import LoggedFailure, pending_in
from toolspec.runtime.names import exact_name
from toolspec.runtime.record import Record
from toolspec.runtime.values import copied

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from typing import Literal, Protocol, TypeAlias

    from toolspec.runtime.call import Call, Completion
    from toolspec.runtime.callables import AnyCallable
    from toolspec.runtime.context import AnyContext
    from toolspec.runtime.definition import ToolDefinition
    from toolspec.shared.json_values import JsonObject, JsonValue

    State: TypeAlias = Literal["begun", "done", "reverting"]
    Status: TypeAlias = Literal["reverted", "failed", "unknown"]

else:
    Protocol = object


MAX_ENTRIES = 1_000
"""Default maximum number of entries; the oldest are dropped."""


class Entry(Record):
    """One call of a revertible tool. `at` is epoch seconds; `metadata` is the handler's."""

    id: str
    tool: str
    """The full name; `name@version` where the tool has one."""
    at: float
    input: JsonValue
    caller: str | None = None
    request_id: str = ""
    instance: str = ""
    mode: str = ""
    state: State = "begun"
    output: JsonValue = None
    metadata: JsonObject = {}  # noqa: RUF012 - a frozen record's default, never changed


class Journal(Protocol):
    """Stores entries in the order in which they were begun.

    An entry is kept until it is forgotten, reverted, or exceeds the maximum number of entries.
    """

    async def begin(self, entry: Entry) -> None:
        """Store a new entry before its handler runs."""
        raise NotImplementedError

    async def finish(self, entry: str, output: JsonValue, metadata: JsonObject) -> None:
        """Store the handler's result; the entry can now be reverted."""
        raise NotImplementedError

    async def forget(self, entry: str) -> None:
        """Drop an entry whose handler reported no effect."""
        raise NotImplementedError

    async def reverting(self, entry: str) -> bool:
        """Return whether the caller may revert the entry: claim it if it was `done`.

        Of all concurrent callers, in any process, one succeeds.
        """
        raise NotImplementedError

    async def release(self, entry: str) -> None:
        """Set an entry from `reverting` back to `done`: its revert has had no effect."""
        raise NotImplementedError

    async def reverted(self, entry: str) -> None:
        """Drop a reverted entry."""
        raise NotImplementedError

    async def entries(self) -> list[Entry]:
        """Return all entries, the newest first."""
        raise NotImplementedError


class RevertOutcome(Record):
    """The outcome of reverting one entry; `message` explains a failure.

    `failed` is retried by the next revert. `unknown` means that its call, or a revert of it, never
    finished, so its effect is unknown; it is reported again and never retried automatically. Once
    the effect is known, pass the entry to `release` or `forget` of the journal.
    """

    entry: str
    tool: str
    status: Status
    message: str = ""


class MemoryJournal:
    """An in-memory journal of the newest `max_entries` entries."""

    __slots__ = ("_entries", "_max_entries")

    def __init__(self, max_entries: int = MAX_ENTRIES) -> None:
        self._entries: dict[str, Entry] = {}
        self._max_entries = max_entries

    async def begin(self, entry: Entry) -> None:
        """Store a new entry before its handler runs."""
        self._entries[entry.id] = entry
        if len(self._entries) > self._max_entries:
            del self._entries[next(iter(self._entries))]

    async def finish(self, entry: str, output: JsonValue, metadata: JsonObject) -> None:
        """Store the handler's result; the entry can now be reverted."""
        self._change(entry, state="done", output=output, metadata=metadata)

    async def forget(self, entry: str) -> None:
        """Drop an entry whose handler reported no effect."""
        self._entries.pop(entry, None)

    async def reverting(self, entry: str) -> bool:
        """Return whether the caller may revert the entry: claim it if it was `done`."""
        stored = self._entries.get(entry)
        if stored is None or stored.state != "done":
            return False
        self._change(entry, state="reverting")
        return True

    async def release(self, entry: str) -> None:
        """Set an entry from `reverting` back to `done`: its revert has had no effect."""
        stored = self._entries.get(entry)
        if stored is not None and stored.state == "reverting":
            self._change(entry, state="done")

    async def reverted(self, entry: str) -> None:
        """Drop a reverted entry."""
        self._entries.pop(entry, None)

    async def entries(self) -> list[Entry]:
        """Return all entries, the newest first."""
        return list(self._entries.values())[::-1]

    def _change(self, entry: str, **fields: object) -> None:
        stored = self._entries.get(entry)
        if stored is not None:
            self._entries[entry] = Entry(**{**vars(stored), **fields})


def journaling(handler: AnyCallable, tool: ToolDefinition, journal: Journal) -> AnyCallable:
    """Return the handler wrapped to begin a journal entry before each run.

    If the journal cannot be written, the handler does not run: ToolError `unavailable`.
    """

    async def called(input: JsonValue, context: AnyContext) -> object:  # noqa: A002 - the handler's parameter name
        async with _EntryScope(journal=journal, tool=tool, input=input, context=context):
            return await handler(input, context)

    async def streamed(input: JsonValue, context: AnyContext) -> AsyncGenerator[object, None]:  # noqa: A002 - the handler's parameter name
        async with _EntryScope(journal=journal, tool=tool, input=input, context=context):
            chunks = handler(input, context)
            try:
                async for chunk in chunks:
                    yield chunk
            finally:
                await closed(chunks)

    return streamed if tool.streaming else called


def finishing(journal: Journal) -> Completion:
    """Return the stage that stores the handler's result in the journal.

    The effect has happened by then: if the journal cannot be written, the result is returned anyway
    and the failure is logged.
    """

    async def finished(call: Call, result: JsonValue) -> JsonValue:
        context = call.context
        if context._entry is not None:  # noqa: SLF001 - internal field of the runtime
            with LoggedFailure(
                context, "ran, but the journal could not be written: it cannot be reverted"
            ):
                metadata: JsonObject = copied(context.metadata)  # type: ignore[assignment]  # of a dict
                await journal.finish(context._entry, copied(result), metadata)  # noqa: SLF001 - the same
        return result

    return finished


class _EntryScope(Record):
    """Context manager that stores a journal entry around a handler."""

    journal: Journal
    tool: ToolDefinition
    input: JsonValue
    context: AnyContext

    async def __aenter__(self) -> None:
        context = self.context
        entry = Entry(
            id=os.urandom(16).hex(),
            tool=exact_name(self.tool),
            at=time.time(),
            input=copied(self.input),
            caller=context.caller,
            request_id=context.request_id,
            instance=context.instance,
            mode=context.mode,
        )

        async def forget(_: None) -> None:
            await self.journal.forget(entry.id)

        await run_or_undo(context, self.journal.begin(entry), forget)
        context._entry = entry.id  # noqa: SLF001 - internal field of the runtime

    async def __aexit__(self, _: object, problem: BaseException | None, __: object) -> None:
        if problem is None or isinstance(problem, GeneratorExit):
            return
        context = self.context
        entry = context._entry  # noqa: SLF001 - internal field of the runtime
        context._entry = None  # noqa: SLF001 - the same; a result from middleware does not finish it
        if entry is None:
            return
        has_no_effect = isinstance(problem, ToolError) and problem.details.get("effect") == "none"
        if has_no_effect or pending_in(problem) is not None:
            message = "the journal keeps an entry of a call without an effect"
            with LoggedFailure(context, message):
                await self.journal.forget(entry)
