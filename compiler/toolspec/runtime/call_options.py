"""Options of a call, and the types of permissions, questions and approvals."""

from __future__ import annotations

from toolspec.runtime.record import Record

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from asyncio import Event
    from collections.abc import Awaitable, Callable, Mapping
    from typing import Literal, TypeAlias, TypedDict

    from toolspec.runtime.callbacks import Callbacks
    from toolspec.runtime.definition import ToolDefinition
    from toolspec.runtime.progress import ProgressListener
    from toolspec.runtime.request import Request
    from toolspec.shared.json_values import JsonValue

    Choice: TypeAlias = Literal["once", "session", "always"]
    Answer: TypeAlias = bool | Choice
    """True means `once`, False means no."""
    Approver: TypeAlias = Callable[["Question"], Answer | Awaitable[Answer]]

    class CallOptions(TypedDict, total=False):
        """Options of a call besides its arguments.

        `caller` and `scopes` identify the caller to the transport, `transport` holds further
        metadata. `approver` answers the questions of this call, `approval` is an approval given in
        advance. `callbacks` answer what its handler asks of the client. `request` is the HTTP
        request. `responded` is set once the response has been written, for `afterResponse` hooks.
        `on_result` gets the whole result of a stream after its last chunk, as `after` hooks left it;
        without it, a stream keeps its chunks only for stages that need them.
        """

        caller: str | None
        scopes: tuple[str, ...] | None
        transport: Mapping[str, JsonValue] | None
        request_id: str
        on_progress: ProgressListener | None
        approver: Approver | None
        approval: Approval | None
        callbacks: Callbacks | None
        request: Request | None
        responded: Event | None
        on_result: Callable[[JsonValue], None] | None


APPROVAL_SECONDS = 300.0
"""Default seconds that an approver has to answer."""

NO_APPROVER_HINT = (
    "configure an approver or a policy rule (`with_controls`), or pass an approval with the call"
)


class Permission(Record):
    """A resource and an operation on it; `operation` is empty for a tool."""

    kind: str
    resource: str
    operation: str = ""


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
