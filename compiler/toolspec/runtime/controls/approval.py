"""Approval types: questions, answers, and approvals given in advance."""

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
    """True means `once`, False means no."""
    Approver: TypeAlias = Callable[["Question"], Answer | Awaitable[Answer]]

_EVERY_WAY: tuple[Choice, ...] = ("once", "session", "always")
_ONLY_ONCE_FROM = 3
"""Lowest risk tier that requires approval of each single call."""


class Question(Record):
    """The question shown to an approver, about the whole call or one permission of it.

    `arguments` are a validated copy with defaults. `permissions` are those that an approval covers;
    `reason` is the handler's, if it asks during the call. `choices` are the possible approvals:
    only `once` for tier 3.
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
    """An approval of one call given in advance.

    `digest` is that of the arguments as sent, `expires` is in epoch seconds. Valid in one `mode`
    only; empty is live.
    """

    tool: str
    digest: str
    expires: float
    mode: str = ""


class ApprovalPending(BaseException):
    """Raised by an approver whose answer will come with a later call of the same arguments.

    The call ends without effect, error or hooks: its idempotency key is released and its journal
    entry dropped. A BaseException, so that no handler catches it as a failure.
    """


def pending_in(problem: BaseException | None) -> ApprovalPending | None:
    """Return the pending approval that an exception, or all of an exception group, consists of."""
    while isinstance(problem, BaseExceptionGroup) and problem.split(ApprovalPending)[1] is None:
        problem = problem.exceptions[0]
    return problem if isinstance(problem, ApprovalPending) else None


def choices_for(tool: ToolDefinition) -> tuple[Choice, ...]:
    """Return the approval choices that a tool allows."""
    return _EVERY_WAY[:1] if tool.risk >= _ONLY_ONCE_FROM else _EVERY_WAY


async def answer_of(
    approver: Approver, question: Question, log: logging.Logger | CallLog
) -> Choice | None:
    """Return the approver's choice; None if it did not approve.

    An approval by a choice that was not offered counts as `once`. An approver that fails declines,
    and the error is logged; a pending approval propagates.
    """
    try:
        answer = await awaited(approver(question))
    except ApprovalPending:
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
    """Return the SHA-256 of the tool's name and the arguments, which an approval is bound to.

    Hashes the arguments as sent, as JSON with sorted keys and `1.0` written as `1`, so that neither
    key order nor number format matters. Raises ToolError `validation` for arguments that are not
    JSON.
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
    """Return an approval of one call with exactly these arguments, valid for `seconds`.

    `tool` is the full name, or `name@version`; `mode` the mode of the registry, empty for live.
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
