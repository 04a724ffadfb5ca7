"""What stages and hooks are given: the call, how it ended; and the hooks around every tool."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from toolspec.runtime.failure import run_all
from toolspec.runtime.record import Record

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Literal, TypeAlias

    from toolspec.runtime.context import Context
    from toolspec.runtime.controls.gate import Gate
    from toolspec.runtime.definition import ToolDefinition
    from toolspec.runtime.errors import ToolError
    from toolspec.runtime.plan import Plan
    from toolspec.shared.json_values import JsonValue

    Before: TypeAlias = Callable[["Call"], Awaitable[None]]
    Middleware: TypeAlias = Callable[["Call", "Next"], Awaitable[object]]
    After: TypeAlias = Callable[["Call", JsonValue], Awaitable[object]]
    AfterResponse: TypeAlias = Callable[["Call", "Outcome"], Awaitable[None]]
    OnError: TypeAlias = Callable[["Failure"], Awaitable[None]]
    Status: TypeAlias = Literal["ok", "failed", "cancelled"]
    AnyContext: TypeAlias = Context[Any, Any]  # a hook serves tools of many services

    Stage: TypeAlias = Callable[["Call"], Awaitable[None]]
    """Raises ToolError to end the call, Answered to end it with a result that is known."""
    Completion: TypeAlias = Callable[["Call", JsonValue], Awaitable[JsonValue]]
    """Takes the result as it stands, and returns it or another."""
    Leave: TypeAlias = AfterResponse
    """Undoes a stage, or writes down how the call ended; put on `call.leaving` by the stage."""

Next = Callable[[], Awaitable[object]]


class Call:
    """One call inside the pipeline.

    `input` is what the handler receives, defaults applied. `source` is the async iterator that the
    handler of a streaming tool gave. The rest is the runtime's: `plan` are the stages of the tool,
    `whole` is what its chunks make where somebody has to know, `gate` what the call has gone
    through, `leaving` what is to be done, the newest first, when it ends, however it ends.
    """

    __slots__ = ("context", "gate", "input", "leaving", "plan", "source", "whole")

    def __init__(self, plan: Plan, context: AnyContext) -> None:
        self.plan = plan
        self.context = context
        self.input: JsonValue = None
        self.source: object = None
        self.whole: JsonValue = None
        self.gate: Gate | None = None
        self.leaving: tuple[Leave, ...] = ()

    @property
    def tool(self) -> ToolDefinition:
        """The definition of the tool."""
        return self.plan.tool


class Outcome(Record):
    """How a call ended, for afterResponse hooks.

    `result` is a copy; None unless the call was `ok`, and for one that was streamed.
    """

    status: Status
    result: JsonValue = None
    error: ToolError | None = None


class Failure(Record):
    """A call that failed, for on_error hooks.

    `error` is what the caller gets. `cause` is the exception behind it, if another one. `call` is
    None where no tool answers to `name`.
    """

    name: str
    error: ToolError
    cause: BaseException | None = None
    call: Call | None = None


class Answered(Exception):  # noqa: N818 - the end of a call, and no error
    """Raised by a stage that knows the result: the call ends well, and its handler does not run."""

    def __init__(self, result: JsonValue) -> None:
        super().__init__()
        self.result = result


class GlobalHooks(Record):
    """Hooks that run around every tool of a registry, each kind in order."""

    before: tuple[Before, ...] = ()
    middleware: tuple[Middleware, ...] = ()
    after: tuple[After, ...] = ()
    after_response: tuple[AfterResponse, ...] = ()
    on_error: tuple[OnError, ...] = ()


async def tell(hooks: Iterable[OnError], failure: Failure, context: AnyContext) -> None:
    """Run on_error hooks; one that fails itself is logged and keeps no other from being told."""
    await run_all(hooks, (failure,), context, "an on_error hook failed")


async def respond(hooks: Iterable[AfterResponse], call: Call, outcome: Outcome) -> None:
    """Run afterResponse hooks; one that fails is logged and keeps no other from running."""
    await run_all(hooks, (call, outcome), call.context, "an afterResponse hook failed")
