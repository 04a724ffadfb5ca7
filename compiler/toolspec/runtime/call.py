"""A call on its way through stages and hooks, and its outcome or failure."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from toolspec.runtime.failure import run_all
from toolspec.runtime.record import Record

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Literal, TypeAlias

    from toolspec.runtime.context import AnyContext, CallPlan
    from toolspec.runtime.definition import ToolDefinition
    from toolspec.runtime.errors import ToolError
    from toolspec.shared.json_values import JsonValue

    Before: TypeAlias = Callable[["Call"], Awaitable[None]]
    Middleware: TypeAlias = Callable[["Call", "Next"], Awaitable[object]]
    After: TypeAlias = Callable[["Call", JsonValue], Awaitable[object]]
    AfterResponse: TypeAlias = Callable[["Call", "Outcome"], Awaitable[None] | None]
    """A plain function runs in a worker thread."""
    OnError: TypeAlias = Callable[["Failure"], Awaitable[None]]
    Status: TypeAlias = Literal["ok", "failed", "cancelled"]

    Stage: TypeAlias = Callable[["Call"], Awaitable[None]]
    """Raises ToolError to fail the call, or Answered to end it with a known result."""
    Completion: TypeAlias = Callable[["Call", JsonValue], Awaitable[JsonValue]]
    """Receives the current result and returns it or a replacement."""
    Leave: TypeAlias = Callable[["Call", "Outcome"], Awaitable[None]]
    """Undoes a stage or stores the outcome; a stage appends it to `call.leaving`."""

Next = Callable[[], Awaitable[object]]


class Call:
    """One call in the pipeline; `input` is the handler's input with defaults.

    `leaving` are the callbacks to run when the call ends in any way, newest first.
    """

    __slots__ = ("context", "input", "leaving", "plan")

    plan: CallPlan

    def __init__(self, plan: CallPlan, context: AnyContext) -> None:
        self.plan = plan
        self.context = context
        self.input: JsonValue = None
        self.leaving: tuple[Leave, ...] = ()

    @property
    def tool(self) -> ToolDefinition:
        """Definition of the tool."""
        return self.plan.tool


class Outcome(Record):
    """The outcome of a call, for afterResponse hooks.

    `result` is a copy; None unless the call was `ok`, and for calls by `Registry.stream`, which keeps
    no chunks. A server has the whole result.
    """

    status: Status
    result: JsonValue = None
    error: ToolError | None = None


class Failure(Record):
    """A failed call, for on_error hooks.

    `error` is what the caller gets. `cause` is the original exception, if different. `call` is None
    for an unknown tool `name`.
    """

    name: str
    error: ToolError
    cause: BaseException | None = None
    call: Call | None = None


class Answered(Exception):  # noqa: N818 - not an error
    """Raised by a stage that knows the result: the call succeeds without running its handler."""

    def __init__(self, result: JsonValue) -> None:
        super().__init__()
        self.result = result


class GlobalHooks(Record):
    """Hooks that run around every tool of a registry, each kind in order."""

    before: tuple[Before, ...] = ()
    middleware: tuple[Middleware, ...] = ()
    after: tuple[After, ...] = ()
    after_response: tuple[Leave, ...] = ()
    on_error: tuple[OnError, ...] = ()


async def run_on_error(hooks: Iterable[OnError], failure: Failure, context: AnyContext) -> None:
    """Run on_error hooks; a failing hook is logged and does not stop the others."""
    await run_all(hooks, (failure,), context, "an on_error hook failed")


async def run_after_response(hooks: Iterable[Leave], call: Call, outcome: Outcome) -> None:
    """Run afterResponse hooks; a failing hook is logged and does not stop the others."""
    await run_all(hooks, (call, outcome), call.context, "an afterResponse hook failed")
