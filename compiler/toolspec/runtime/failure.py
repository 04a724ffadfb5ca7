"""Handling of exceptions in user code: whether they propagate, and logging of failures."""

from __future__ import annotations

from contextvars import ContextVar

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable
    from typing import Protocol

    from toolspec.runtime.log import CallLog

    class HasLog(Protocol):
        """The part of a call's context that failures need."""

        @property
        def log(self) -> CallLog:
            """The log of the call."""


is_served: ContextVar[bool] = ContextVar("toolspec_is_served", default=False)
"""Whether the running call is one of a server, which ends by itself at Ctrl-C."""


class ApprovalPending(BaseException):
    """Raised by an approver that answers in a later call with the same arguments.

    The call ends without effect, error or hooks: its idempotency key is released and its journal
    entry dropped. A BaseException, so that no handler catches it as a failure.
    """


def pending_in(problem: BaseException | None) -> ApprovalPending | None:
    """Return the pending approval that an exception, or all of an exception group, consists of."""
    while isinstance(problem, BaseExceptionGroup) and problem.split(ApprovalPending)[1] is None:
        problem = problem.exceptions[0]
    return problem if isinstance(problem, ApprovalPending) else None


def is_passing(problem: BaseException) -> bool:
    """Return whether an exception belongs to the process or the waiting task, not to user code.

    That is the KeyboardInterrupt of Ctrl-C, a CancelledError in a task that was cancelled, and the
    GeneratorExit of the coroutine being closed. Every other exception of a handler, hook or
    approver is its failure and ends neither the server nor other calls, including SystemExit and
    the CancelledError of another task. Call this where the exception is caught.
    """
    if isinstance(problem, Exception):
        return False
    if isinstance(problem, KeyboardInterrupt):
        return not is_served.get() or _raises_at_interrupt()
    if isinstance(problem, GeneratorExit):
        # Closing raises a new one in every frame, from the innermost outwards.
        trace = problem.__traceback__
        return trace is None or trace.tb_next is None
    import asyncio

    return isinstance(problem, asyncio.CancelledError) and is_cancelling()


def _raises_at_interrupt() -> bool:
    """Return whether Ctrl-C raises KeyboardInterrupt: a server sets a signal handler of its own."""
    import signal

    return signal.getsignal(signal.SIGINT) is signal.default_int_handler


def is_cancelling() -> bool:
    """Return whether somebody cancelled the running task, and did not take it back."""
    import asyncio

    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


class LoggedFailure:
    """Logs and suppresses exceptions of a block: `with LoggedFailure(context, "a hook failed"):`."""

    __slots__ = ("_context", "_message")

    def __init__(self, context: HasLog, message: str) -> None:
        self._context = context
        self._message = message

    def __enter__(self) -> None:
        return None

    def __exit__(self, _: object, problem: BaseException | None, __: object) -> bool:
        if problem is None or is_passing(problem):
            return False
        self._context.log.error(self._message, exc_info=problem)
        return True


async def run_all(
    steps: Iterable[Callable[..., Awaitable[object]]],
    arguments: tuple[object, ...],
    context: HasLog,
    message: str,
) -> None:
    """Run all steps in order; a failure is logged and does not stop the others.

    Cancellation does not stop them either: it is raised after all have run.
    """
    passing: BaseException | None = None
    for step in steps:
        try:
            with LoggedFailure(context, message):
                await step(*arguments)
        except BaseException as problem:  # noqa: BLE001 - re-raised below
            passing = problem
    if passing is not None:
        raise passing
