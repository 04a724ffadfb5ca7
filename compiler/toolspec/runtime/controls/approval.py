"""Asking for a yes: the question, the answers, and an approval that was given ahead."""

from __future__ import annotations

from toolspec.runtime.awaiting import awaited
from toolspec.runtime.errors import FieldError, ToolError
from toolspec.runtime.failure import is_passing
from toolspec.runtime.record import Record
from toolspec.runtime.values import NotJsonError, copied

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    import logging
    from collections.abc import Awaitable, Callable, Mapping
    from typing import Literal, TypeAlias

    from toolspec.runtime.controls.policy import Permission
    from toolspec.runtime.definition import ToolDefinition
    from toolspec.runtime.log import CallLog
    from toolspec.shared.json_values import JsonValue

    Choice: TypeAlias = Literal["once", "session", "always"]
    Answer: TypeAlias = bool | Choice
    """True is `once`, False is no."""
    Approver: TypeAlias = Callable[["Question"], Answer | Awaitable[Answer]]

_EVERY_WAY: tuple[Choice, ...] = ("once", "session", "always")
_ONLY_ONCE_FROM = 3
"""The risk tier from which each call is asked for on its own."""


class Question(Record):
    """What somebody is asked before a call goes on: the whole call, or one permission of it.

    `arguments` are a copy, checked and with their defaults. `permissions` are those that a yes
    covers; `reason` is the handler's, where it asks in the middle of a call. `choices` are the
    ways of saying yes: only `once` for tier 3.
    """

    tool: ToolDefinition
    arguments: JsonValue
    digest: str
    caller: str | None = None
    request_id: str = ""
    choices: tuple[Choice, ...] = ("once",)
    permissions: tuple[Permission, ...] = ()
    reason: str = ""


class Approval(Record):
    """A yes given ahead for one call: `digest` of its arguments as sent, `expires` in epoch seconds.

    It holds in one mode: empty is the live one.
    """

    tool: str
    digest: str
    expires: float
    mode: str = ""


class Parked(BaseException):
    """Raised by an approver whose answer will come with a later call of the same arguments.

    The call ends without an effect, an error or a hook being told: its key is free again and its
    entry forgotten. A BaseException, so that nobody on the way takes it for a failure.
    """


def parked_in(problem: BaseException | None) -> Parked | None:
    """Return what a call is parked by: an exception, or all of a task group's."""
    while isinstance(problem, BaseExceptionGroup) and problem.split(Parked)[1] is None:
        problem = problem.exceptions[0]
    return problem if isinstance(problem, Parked) else None


def choices_for(tool: ToolDefinition) -> tuple[Choice, ...]:
    """Return the ways of saying yes to a tool."""
    return _EVERY_WAY[:1] if tool.risk >= _ONLY_ONCE_FROM else _EVERY_WAY


async def answer_of(
    approver: Approver, question: Question, log: logging.Logger | CallLog
) -> Choice | None:
    """Return the way in which an approver says yes; None for everything else.

    A yes in a way that was not offered is `once`. An approver that fails says no, and the log says
    why; Parked is let out.
    """
    try:
        answer = await awaited(approver(question))
    except Parked:
        raise
    except BaseException as problem:
        if is_passing(problem):
            raise
        log.exception("the approver failed, which is no yes")
        return None
    for choice in question.choices:
        if answer == choice:
            return choice
    if answer is True or answer in _EVERY_WAY:
        return "once"
    if answer is not False:
        log.error("the approver answered %r, which is no yes", answer)
    return None


def digest(tool: str, arguments: Mapping[str, object] | None) -> str:
    """Return what an approval is bound to: SHA-256 over the tool's name and the arguments.

    The arguments as they are sent, as JSON with sorted keys, `1.0` written as `1`: neither order
    nor the way a number is written changes the digest. Complains (ToolError `validation`) of what
    is no JSON.
    """
    import hashlib

    from toolspec.shared.canonical import canonical_json

    try:
        sent = _plain(copied({} if arguments is None else arguments))
    except NotJsonError as problem:
        field = FieldError(path=problem.path, code="json", message=problem.reason)
        message = f"the arguments for `{tool}` are no JSON: {problem.path}: {problem.reason}"
        raise ToolError.validation(message, field_errors=(field,)) from None
    return hashlib.sha256(canonical_json([tool, sent]).encode()).hexdigest()


def approve(
    tool: str, arguments: Mapping[str, object] | None, *, seconds: float = 300, mode: str = ""
) -> Approval:
    """Return a yes for one call of exactly these arguments, from now on for so many seconds.

    `tool` is the full name, or `name@version`; `mode` the mode of the registry, empty for the live one.
    """
    import time

    expires = time.time() + seconds
    return Approval(tool=tool, digest=digest(tool, arguments), expires=expires, mode=mode)


def _plain(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value
