"""Writing a revertible tool's calls into the journal: begun before the handler, finished after it.

An entry stays whatever its handler raises, for an effect may have happened before: it is then
`begun`, which reverting tells as unknown. One thing alone takes it back: a ToolError whose
`details` say `{"effect": "none"}`.
"""

from __future__ import annotations

import os
import time

from toolspec.runtime.awaiting import closed
from toolspec.runtime.controls.approval import parked_in
from toolspec.runtime.controls.journal import Entry
from toolspec.runtime.controls.undoing import whole_or_undone
from toolspec.runtime.errors import ToolError
from toolspec.runtime.failure import Contained
from toolspec.runtime.names import exact_name
from toolspec.runtime.record import Record
from toolspec.runtime.values import copied

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from toolspec.runtime.callables import AnyCallable
    from toolspec.runtime.controls.journal import Journal
    from toolspec.runtime.definition import ToolDefinition
    from toolspec.runtime.hooks import AnyContext, Call, Completion
    from toolspec.shared.json_values import JsonObject, JsonValue


def journaling(handler: AnyCallable, tool: ToolDefinition, journal: Journal) -> AnyCallable:
    """Return the handler with an entry begun before each run of it.

    Where the journal cannot be written the handler does not run: ToolError `unavailable`.
    """

    async def called(input: JsonValue, context: AnyContext) -> object:  # noqa: A002 - as handlers name it
        async with _Entered(journal=journal, tool=tool, input=input, context=context):
            return await handler(input, context)

    async def streamed(input: JsonValue, context: AnyContext) -> AsyncGenerator[object, None]:  # noqa: A002 - as handlers name it
        async with _Entered(journal=journal, tool=tool, input=input, context=context):
            chunks = handler(input, context)
            try:
                async for chunk in chunks:
                    yield chunk
            finally:
                await closed(chunks)

    return streamed if tool.streaming else called


def finishing(journal: Journal) -> Completion:
    """Return the stage that writes down what the handler answered.

    What has happened stays so: if the journal cannot be written the result is answered all the
    same, and the log says what is missing.
    """

    async def finished(call: Call, result: JsonValue) -> JsonValue:
        context = call.context
        if context._entry is not None:  # noqa: SLF001 - the runtime's side of the context
            with Contained(context, "ran, but the journal could not be told: no revert of it"):
                metadata: JsonObject = copied(context.metadata)  # type: ignore[assignment]  # of a dict
                await journal.finish(context._entry, copied(result), metadata)  # noqa: SLF001 - the same
        return result

    return finished


class _Entered(Record):
    """The time that a handler runs under an entry of the journal."""

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

        await whole_or_undone(context, self.journal.begin(entry), forget)
        context._entry = entry.id  # noqa: SLF001 - the runtime's side of the context

    async def __aexit__(self, _: object, problem: BaseException | None, __: object) -> None:
        if problem is None or isinstance(problem, GeneratorExit):
            return
        context = self.context
        entry = context._entry  # noqa: SLF001 - the runtime's side of the context
        context._entry = None  # noqa: SLF001 - the same; what middleware answers instead is not its
        if entry is None:
            return
        is_without = isinstance(problem, ToolError) and problem.details.get("effect") == "none"
        if is_without or parked_in(problem) is not None:
            complaint = "the journal keeps an entry of a call without an effect"
            with Contained(context, complaint):
                await self.journal.forget(entry)
