"""The journal of revertible calls: the stages that write it; `stores/` keeps its entries.

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
from toolspec.runtime.stores import Entry
from toolspec.runtime.values import copied

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from typing import Literal, TypeAlias

    from toolspec.runtime.call import Call, Completion
    from toolspec.runtime.callables import AnyCallable
    from toolspec.runtime.context import AnyContext
    from toolspec.runtime.definition import ToolDefinition
    from toolspec.runtime.stores import Journal
    from toolspec.shared.json_values import JsonObject, JsonValue

    Status: TypeAlias = Literal["reverted", "failed", "unknown"]


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
