"""Asking for a yes: the question, the answers, and an approval that was given ahead."""

from __future__ import annotations

from toolspec.runtime.record import Record

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from typing import Literal, TypeAlias

    from toolspec.runtime.controls.policy import Permission
    from toolspec.runtime.definition import ToolDefinition
    from toolspec.runtime.values import JsonValue

    Choice: TypeAlias = Literal["once", "session", "always"]
    Answer: TypeAlias = bool | Choice
    """True is `once`, False is no."""
    Approver: TypeAlias = Callable[["Question"], Answer | Awaitable[Answer]]


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
    """A yes given ahead for one call: `digest` of its arguments as sent, `expires` in epoch seconds."""

    tool: str
    digest: str
    expires: float


class Parked(BaseException):
    """Raised by an approver whose answer will come with a later call of the same arguments.

    The call ends without an effect, an error or a hook being told; a BaseException, so that
    nobody on the way takes it for a failure.
    """
