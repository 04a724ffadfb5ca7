"""The context of a call: caller, settings, credentials, progress and permissions."""

from __future__ import annotations

from toolspec.runtime.failure import LoggedFailure
from toolspec.runtime.progress import Progress, check_listener, report_to
from toolspec.runtime.values import NotJsonError, copied

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    import asyncio
    import logging
    from collections.abc import Awaitable, Callable, Mapping, Sequence
    from typing import Any, Generic, Protocol, TypeAlias

    from typing_extensions import TypeVar

    from toolspec.runtime.call_options import Approval, Approver, CallOptions, Permission
    from toolspec.runtime.callbacks import (
        Callbacks,
        ElicitResult,
        LogCallback,
        LogLevel,
        LogMessage,
        Root,
        SampleResult,
    )
    from toolspec.runtime.cancelled_event import CancelledEvent
    from toolspec.runtime.confidential import Confidential
    from toolspec.runtime.definition import ToolDefinition
    from toolspec.runtime.log import CallLog
    from toolspec.runtime.progress import ProgressListener
    from toolspec.runtime.request import Request
    from toolspec.runtime.service import BoundService
    from toolspec.shared.json_values import JsonObject, JsonValue

    SettingsT = TypeVar("SettingsT", default=None)
    CredentialsT = TypeVar("CredentialsT", default=None)
    AnyContext: TypeAlias = "Context[Any, Any]"  # hooks are shared by many services

    class CallPlan(Protocol):
        """The tool of a call with everything that its context and its controls read."""

        service: BoundService
        tool: ToolDefinition
        instance: str
        settings: Confidential | None
        credentials: object
        callbacks: Callbacks | None

        def adopt(self, task: asyncio.Task[None]) -> None:
            """Keep a task that outlives its call."""

        async def request_permission(
            self, context: AnyContext, permission: Permission, reason: str
        ) -> None:
            """Return if the call has the permission. Raises ToolError `permission`."""

    class IdleWatch(Protocol):
        """The idle timeout of a call; `with` pauses it."""

        def touch(self) -> None:
            """Reset the timeout; any thread may."""

        def __enter__(self) -> None: ...

        def __exit__(self, *_: object) -> None: ...

    class _Typed(Generic[SettingsT, CredentialsT]):
        __slots__ = ()
else:

    class _Typed:
        """Makes `Context[Settings, Credentials]` work without importing typing."""

        __slots__ = ()
        __class_getitem__ = classmethod(type(list[int]))


_INFINITY = float("inf")

NO_CREDENTIALS = object()
"""Marks a context whose service needs credentials but has none."""


class Context(_Typed["SettingsT", "CredentialsT"]):
    """The context of a call, passed to its handler. All arguments are optional, for use in tests.

    `tool` is the full name of the tool, `service` the name of its service. `caller`, `transport` and
    `request` (the HTTP request, None in process and on stdio) come from the transport; `scopes` are all scopes of the caller, None if unknown. `state` is
    shared by hooks and handler within the call. `metadata` is stored for a later revert of the
    call. `instance` is the target of the call if the service has instances, and `mode` the bound
    mode, empty for live. `idempotency_key` is the caller's, if the tool takes one.
    """

    # Slots of a call's context are filled on first use: most calls use few.
    __slots__ = (
        "_approval",
        "_approval_problem",
        "_approver",
        "_arguments",
        "_begin",
        "_begun",
        "_callbacks",
        "_cancelled",
        "_claimed_approval",
        "_credentials",
        "_entry",
        "_granted",
        "_is_cancelled",
        "_is_unwinding",
        "_left",
        "_listener",
        "_logger",
        "_loop",
        "_on_result",
        "_plan",
        "_progress",
        "_request_id",
        "_responded",
        "_watch",
        "caller",
        "idempotency_key",
        "instance",
        "metadata",
        "mode",
        "request",
        "scopes",
        "service",
        "settings",
        "state",
        "tool",
        "transport",
        "version",
    )

    _approval: Approval | None
    _approval_problem: str | None
    """Why the approval passed with the call is invalid; empty if it is valid, None if unchecked."""
    _approver: Approver | None
    _arguments: object
    _callbacks: Callbacks | None
    _cancelled: CancelledEvent | None
    _begin: Callable[[], Awaitable[None]] | None
    """Records that the handler begins, for the idempotency key of the call."""
    _begun: bool
    """Whether the handler was reached; used by tools with idempotency keys."""
    _claimed_approval: str | None
    """The approval passed with the call that is marked as used, until the call is admitted."""
    _entry: str | None
    """The id of the journal entry for the handler's effect."""
    _granted: set[tuple[object, ...]]
    """Permissions that were approved during the call."""
    _is_cancelled: bool
    _is_unwinding: bool
    """Whether a CancelledError passes through the handler, which may take it back."""
    _left: tuple[asyncio.Future[Any], ...]
    """Work of the call that may outlive its response."""
    _loop: asyncio.AbstractEventLoop | None
    """The event loop of the call, for reports from other threads; None if nothing receives any."""
    _on_result: Callable[[JsonValue], None] | None
    """Gets the whole result of a stream."""
    _progress: float | None
    _plan: CallPlan | None
    _responded: asyncio.Event | None
    """Set once the transport has written the response; None if there is nothing to wait for."""
    _watch: IdleWatch | None
    idempotency_key: str | None
    instance: str
    mode: str
    metadata: JsonObject
    state: dict[str, object]

    def __init__(  # noqa: PLR0913 - everything a test may set, by keyword
        self,
        *,
        tool: str = "",
        service: str = "",
        version: str = "",
        instance: str = "",
        mode: str = "",
        settings: SettingsT = None,  # type: ignore[assignment]  # None is the default of the type
        credentials: CredentialsT = None,  # type: ignore[assignment]  # the same
        request_id: str = "",
        caller: str | None = None,
        scopes: tuple[str, ...] | None = None,
        transport: Mapping[str, JsonValue] | None = None,
        request: Request | None = None,
        on_progress: ProgressListener | None = None,
        callbacks: Callbacks | None = None,
        logger: logging.Logger | None = None,
    ) -> None:
        self.tool = tool
        self.service = service
        self.version = version
        self.instance = instance
        self.mode = mode
        self.settings = settings
        self.caller = caller
        self.scopes = scopes
        self.transport = transport
        self.request = request
        self._credentials = credentials
        self._request_id = request_id
        self._listener = on_progress
        self._callbacks = callbacks
        self._logger = logger
        self._plan = None

    if not TYPE_CHECKING:  # hidden from type checkers, so that they know only declared attributes

        def __getattr__(self, name: str) -> object:
            """Fill an empty slot with its default. Raises AttributeError for other names."""
            default = _SLOT_DEFAULTS.get(name)
            if default is None:
                problem = f"a Context has no attribute {name!r}"
                raise AttributeError(problem)
            value = default(self._plan)
            setattr(self, name, value)
            return value

    def __repr__(self) -> str:
        return f"Context(tool={self.tool!r}, request_id={self.request_id!r})"

    @property
    def credentials(self) -> CredentialsT:
        """The credentials of this call; their repr hides every value.

        Raises ToolError `auth` if the service needs credentials and none were given.
        """
        if self._credentials is NO_CREDENTIALS:
            from toolspec.runtime.errors import ToolError

            message = f"`{self.service}` has no credentials for this call: {self._remedy()}"
            raise ToolError.auth(message, code="no_credentials")
        return self._credentials

    def _remedy(self) -> str:
        """Return what gives the call credentials."""
        if self._plan is None or not callable(self._plan.service.credentials):
            return (
                "pass `credentials=` to `bind`, or set them in the environment or with "
                "`--settings FILE`, as `serve` and `call` read them"
            )
        returned = (
            "the function that returns them (`credentials=` of `bind`, `--credentials` of `serve`)"
        )
        if self.caller is None:
            return (
                f"{returned} returned None for a call without a caller: name one by an "
                "authenticator, or by `caller=` of the call"
            )
        return f"{returned} returned None for the caller `{self.caller}`"

    @property
    def request_id(self) -> str:
        """The id of this call in logs and errors: the transport's, or a random one."""
        if not self._request_id:
            import os

            self._request_id = os.urandom(8).hex()
        return self._request_id

    @property
    def log(self) -> CallLog:
        """A logger that adds the tool's name and the request id to every record."""
        from toolspec.runtime.log import CallLog

        return CallLog(self._logger, self.tool, self.request_id, self.mode, self.instance)

    @property
    def cancelled(self) -> asyncio.Event:
        """Event set when the call is cancelled; a handler in a worker thread polls `is_set()`.

        Inside a time limit of the handler's own, `is_set()` is also true while that limit cancels.
        """
        if self._cancelled is None:
            from toolspec.runtime.cancelled_event import CancelledEvent

            self._cancelled = CancelledEvent()
            if self._is_unwinding:
                self._cancelled.unwind(is_unwinding=True)
            elif self._is_cancelled:
                self._cancelled.set()
        return self._cancelled

    def progress(
        self,
        value: float | None = None,
        total: float | None = None,
        message: str | None = None,
    ) -> None:
        """Report progress to the listener, if any; also resets the idle timeout.

        The value never decreases: a lower one is replaced by the highest so far. Without a value,
        the last one is repeated to show that work continues. May be called from a worker thread.
        Errors of a listener are logged and do not end the call. Nothing is sent after the call's
        response.
        """
        highest = -_INFINITY if self._progress is None else self._progress
        if value is not None and highest < value < _INFINITY:
            self._progress = value
        watch = self._watch  # the call may end in its event loop meanwhile
        if watch is not None:
            watch.touch()
        if self._listener is not None:
            report = Progress(value=self._progress, total=total, message=message)
            self._in_loop(self._report, report)

    def _report(self, progress: Progress) -> None:
        if self._listener is None:  # the call has ended meanwhile
            return
        with LoggedFailure(self, "the progress listener failed"):
            report_to(self._listener, progress)

    def _in_loop(self, function: Callable[..., None], *arguments: object) -> None:
        """Run a function in the event loop of the call: at once if that runs in this thread."""
        loop = self._loop
        if loop is None or loop is _running_loop():
            function(*arguments)
        else:
            loop.call_soon_threadsafe(function, *arguments)

    async def request_permission(self, resource: str, reason: str, operation: str = "") -> None:
        """Return if the call may use a resource (`file:~/notes/a.md`), for the reason given.

        Without an operation it may do everything with the resource.
        A policy rule decides, or else the approver; declared permissions are granted. Call this
        before the first effect: if a client answers in a separate request (MCP 2026), the handler
        starts again. Raises ToolError `permission` if denied or if there is no approver, as in a
        context that a test creates. Raises ValueError for a resource without a kind.
        """
        from toolspec.runtime.call_options import NO_APPROVER_HINT, Permission
        from toolspec.runtime.errors import ToolError

        kind, colon, name = resource.partition(":")
        if not colon:
            problem = f"invalid resource {resource!r}: write `kind:name`, as in `file:~/notes/a.md`"
            raise ValueError(problem)
        if self._plan is not None:
            permission = Permission(kind=kind, resource=name, operation=operation)
            await self._plan.request_permission(self, permission, reason)
            return
        message = "a permission is required, and no approver is configured"
        details = {"tool": self.tool, "hint": NO_APPROVER_HINT}
        raise ToolError.permission(message, code="approval_required", details=details)

    async def elicit(
        self, message: str, schema: Mapping[str, object], *, key: str = ""
    ) -> ElicitResult:
        """Return the user's response to a form.

        `schema` is a flat object of strings, numbers, booleans and choices, as MCP allows. For a
        client of MCP 2026 the handler runs again with the response, so ask before the first effect.
        There `key` names the form; without one, its content does. Raises ToolError `unavailable`,
        code `missing_capability`, for a client without forms, `validation`, code `invalid_answer`,
        for content that violates the schema, and ValueError for an invalid schema.
        """
        from toolspec.runtime.callbacks import FormRequest
        from toolspec.runtime.client_requests import ask_form, checked_form

        checked = checked_form(schema)
        form = FormRequest(message=message, schema=checked, tool=self.tool, key=key)
        return await ask_form(self, form)

    async def elicit_url(self, message: str, url: str, *, key: str = "") -> ElicitResult:
        """Return whether the user agreed to open a page, for secrets, payments and sign-ins.

        `accept` does not mean that the user is done there. Otherwise like `elicit`.
        """
        from toolspec.runtime.callbacks import UrlRequest
        from toolspec.runtime.client_requests import ask_url

        return await ask_url(self, UrlRequest(message=message, url=url, tool=self.tool, key=key))

    async def sample(  # noqa: PLR0913 - the options of a message, by keyword
        self,
        messages: str | Sequence[Mapping[str, object]],
        *,
        max_tokens: int,
        system_prompt: str = "",
        temperature: float | None = None,
        stop_sequences: Sequence[str] = (),
        key: str = "",
    ) -> SampleResult:
        """Return a message of the client's model. A string is one message of the user.

        Raises ToolError `unavailable`: code `missing_capability` for a client without sampling,
        `client_failed` if it refuses. Otherwise like `elicit`.
        """
        from toolspec.runtime.callbacks import SampleRequest
        from toolspec.runtime.client_requests import ask_sample, checked_messages

        request = SampleRequest(
            messages=checked_messages(messages),
            max_tokens=max_tokens,
            system_prompt=system_prompt,
            temperature=temperature,
            stop_sequences=tuple(stop_sequences),
            tool=self.tool,
            key=key,
        )
        return await ask_sample(self, request)

    async def roots(self, *, key: str = "") -> tuple[Root, ...]:
        """Return the folders and files that the client works in. Raises ToolError like `sample`."""
        from toolspec.runtime.callbacks import RootsRequest
        from toolspec.runtime.client_requests import ask_roots

        return await ask_roots(self, RootsRequest(tool=self.tool, key=key))

    def client_log(self, data: object, level: LogLevel = "info") -> None:
        """Send a log message to the client, if it listens; `log` is the server's.

        Does not wait, and may be called from a worker thread. Raises NotJsonError for data that is
        not JSON.
        """
        callbacks = self._callbacks
        listener = None if callbacks is None else callbacks.log
        if listener is not None:
            from toolspec.runtime.callbacks import LogMessage

            message = LogMessage(level=level, data=copied(data), logger=self.tool)
            self._in_loop(self._send_log, listener, message)

    def _send_log(self, listener: LogCallback, message: LogMessage) -> None:
        with LoggedFailure(self, "the log callback failed"):
            listener(message)


def _running_loop() -> asyncio.AbstractEventLoop | None:
    """Return the event loop that runs in this thread, if any."""
    import asyncio

    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


_new = object.__new__

_OPTIONS = {
    "caller": "caller",
    "scopes": "scopes",
    "transport": "transport",
    "request_id": "_request_id",
    "on_progress": "_listener",
    "approver": "_approver",
    "approval": "_approval",
    "callbacks": "_callbacks",
    "request": "request",
    "responded": "_responded",
    "on_result": "_on_result",
}
"""Options of a call, and the slots that they fill."""


def opened(plan: CallPlan, arguments: object = None) -> AnyContext:
    """Return the context of a new call without options."""
    context: AnyContext = _new(Context)
    context._plan = plan  # noqa: SLF001 - internal field of the runtime
    context._arguments = arguments  # noqa: SLF001 - the same
    context.caller = None
    context._left = ()  # noqa: SLF001 - the same
    return context


def fill_in(context: AnyContext, options: CallOptions) -> None:
    """Set the options of a new call. Raises TypeError for unknown options and async listeners."""
    for name, value in options.items():
        slot = _OPTIONS.get(name)
        if slot is None:
            problem = f"unknown call option {name!r}; expected one of {', '.join(_OPTIONS)}"
            raise TypeError(problem)
        setattr(context, slot, value)
    check_listener(options.get("on_progress"))


def keep_arguments(context: AnyContext) -> None:
    """Continue a call with a copy of its arguments; validation reports values that are not JSON."""
    from contextlib import suppress

    with suppress(NotJsonError):
        context._arguments = copied(context._arguments)  # noqa: SLF001 - internal


def choose(context: Context[SettingsT, CredentialsT], instance: str) -> None:
    """Set the call's settings and credentials to those of the instance."""
    context.instance = instance
    plan = context._plan  # noqa: SLF001 - internal field of the runtime
    target = plan.service.targets.get(instance) if plan is not None else None
    if target is None:
        return
    context.settings = target.settings  # type: ignore[assignment]  # the service's type
    if target.credentials is not None:
        context._credentials = target.credentials  # type: ignore[assignment]  # noqa: SLF001 - the same


def mark_cancelled(context: Context[SettingsT, CredentialsT]) -> None:
    """Mark a call as cancelled."""
    context._is_cancelled = True  # noqa: SLF001 - internal field of the runtime
    if context._cancelled is not None:  # noqa: SLF001 - the same
        context._cancelled.set()  # noqa: SLF001 - the same


def mark_unwinding(context: Context[SettingsT, CredentialsT], *, is_unwinding: bool) -> None:
    """Mark a call whose handler a CancelledError passes through, or has passed through.

    The caller then marks it as cancelled, or takes that back.
    """
    context._is_unwinding = is_unwinding  # noqa: SLF001 - internal field of the runtime
    context._is_cancelled = True  # noqa: SLF001 - the same
    if context._cancelled is not None:  # noqa: SLF001 - the same
        context._cancelled.unwind(is_unwinding=is_unwinding)  # noqa: SLF001 - the same


def unmark_cancelled(context: Context[SettingsT, CredentialsT]) -> None:
    """Take back the mark of a call that goes on."""
    context._is_cancelled = False  # noqa: SLF001 - internal field of the runtime
    if context._cancelled is not None:  # noqa: SLF001 - the same
        context._cancelled.clear()  # noqa: SLF001 - the same


_EMPTY = (
    "_approval",
    "_approver",
    "_arguments",
    "_approval_problem",
    "_begin",
    "_cancelled",
    "_claimed_approval",
    "_entry",
    "_listener",
    "_loop",
    "_on_result",
    "_progress",
    "_responded",
    "_watch",
    "caller",
    "idempotency_key",
    "request",
    "scopes",
    "transport",
)

_SLOT_DEFAULTS: dict[str, Callable[[CallPlan], object]] = {
    **dict.fromkeys(_EMPTY, lambda _: None),
    "_begun": lambda _: False,
    "_callbacks": lambda plan: plan.callbacks,
    "_credentials": lambda plan: plan.credentials,
    "_granted": lambda _: set(),
    "_is_cancelled": lambda _: False,
    "_is_unwinding": lambda _: False,
    "instance": lambda plan: plan.instance,
    "mode": lambda plan: plan.tool.mode,
    "_logger": lambda plan: plan.service.logger,
    "_request_id": lambda _: "",
    "metadata": lambda _: {},
    "service": lambda plan: plan.service.definition.name,
    "settings": lambda plan: plan.settings,
    "state": lambda _: {},
    "tool": lambda plan: plan.tool.full_name,
    "version": lambda plan: plan.tool.version,
}
"""Default values of a context's slots."""
