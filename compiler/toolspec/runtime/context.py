"""What a handler knows besides its input: who calls, with which settings, and how to report."""

from __future__ import annotations

from toolspec.runtime.record import Record

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    import asyncio
    import logging
    from collections.abc import Callable, Mapping
    from typing import Generic, TypeAlias

    from typing_extensions import TypeVar

    from toolspec.runtime.log import CallLog
    from toolspec.runtime.values import JsonValue

    SettingsT = TypeVar("SettingsT", default=None)
    CredentialsT = TypeVar("CredentialsT", default=None)
    ProgressListener: TypeAlias = Callable[["Progress"], None]

    class _Typed(Generic[SettingsT, CredentialsT]):
        __slots__ = ()
else:

    class _Typed:
        """Lets `Context[Settings, Credentials]` be evaluated without importing typing."""

        __slots__ = ()
        __class_getitem__ = classmethod(type(list[int]))


_INFINITY = float("inf")

NO_CREDENTIALS = object()
"""Stands in a context whose service needs credentials and was given none."""


class Progress(Record):
    """One report of progress; `value` is None as long as no number was given."""

    value: float | None = None
    total: float | None = None
    message: str | None = None


class Context(_Typed["SettingsT", "CredentialsT"]):
    """One call as its handler sees it. Every argument has a default, so that a test can make one.

    `tool` and `service` are names, the tool's the full one. `caller` and `transport` are what the
    transport knows about the other side. `state` is free for hooks and handler to share within
    the call. `idempotency_key` is the caller's, where the tool takes one.
    """

    __slots__ = (
        "_cancelled",
        "_credentials",
        "_is_cancelled",
        "_listener",
        "_logger",
        "_loop",
        "_progress",
        "_request_id",
        "caller",
        "idempotency_key",
        "service",
        "settings",
        "state",
        "tool",
        "transport",
    )

    def __init__(  # noqa: PLR0913 - what a transport may know of a call, by keyword
        self,
        *,
        tool: str = "",
        service: str = "",
        settings: SettingsT = None,  # type: ignore[assignment]  # the type's own default is None
        credentials: CredentialsT = None,  # type: ignore[assignment]  # the same
        request_id: str = "",
        caller: str | None = None,
        transport: Mapping[str, JsonValue] | None = None,
        on_progress: ProgressListener | None = None,
        logger: logging.Logger | None = None,
    ) -> None:
        self.tool = tool
        self.service = service
        self.settings = settings
        self.caller = caller
        self.transport = transport
        self.state: dict[str, object] = {}
        self.idempotency_key: str | None = None
        self._credentials = credentials
        self._request_id = request_id
        self._listener = on_progress
        self._logger = logger
        self._loop: asyncio.AbstractEventLoop | None = None
        self._progress: float | None = None
        self._cancelled: asyncio.Event | None = None
        self._is_cancelled = False

    def __repr__(self) -> str:
        return f"Context(tool={self.tool!r}, request_id={self.request_id!r})"

    @property
    def credentials(self) -> CredentialsT:
        """The credentials of this call; their text hides every value.

        Raises ToolError `auth` where the service needs credentials and none were given.
        """
        if self._credentials is NO_CREDENTIALS:
            from toolspec.runtime.errors import ToolError

            message = f"`{self.service}` has no credentials for this call"
            raise ToolError.auth(message, code="no_credentials")
        return self._credentials

    @property
    def request_id(self) -> str:
        """The name of this call in logs and errors: the transport's, or a random one."""
        if not self._request_id:
            import os

            self._request_id = os.urandom(8).hex()
        return self._request_id

    @property
    def log(self) -> CallLog:
        """A logger that writes the tool's name and the request id with every record."""
        from toolspec.runtime.log import CallLog

        return CallLog(self._logger, self.tool, self.request_id)

    @property
    def cancelled(self) -> asyncio.Event:
        """Set once the call is called off; a handler in a worker thread polls `is_set()`."""
        if self._cancelled is None:
            import asyncio

            self._cancelled = asyncio.Event()
            if self._is_cancelled:
                self._cancelled.set()
        return self._cancelled

    def progress(
        self,
        value: float | None = None,
        total: float | None = None,
        message: str | None = None,
    ) -> None:
        """Report how far the call is; dropped where nobody listens.

        A value lower than an earlier one is sent as the earlier one. Without a value the report
        says that work goes on, and how far it was. May be called from a worker thread.
        """
        reached = -_INFINITY if self._progress is None else self._progress
        if value is not None and reached < value < _INFINITY:
            self._progress = value
        if self._listener is None:
            return
        report = Progress(value=self._progress, total=total, message=message)
        if self._loop is None:
            self._listener(report)
        else:
            self._loop.call_soon_threadsafe(self._listener, report)

    async def request_permission(self, resource: str, reason: str) -> None:
        """Ask for a resource (`file:~/notes/a.md`) in the middle of a call.

        Nobody can be asked yet, and nobody to ask means refused: raises ToolError `permission`.
        """
        from toolspec.runtime.errors import ToolError

        message = f"`{self.tool}` may not use {resource}: there is nobody to ask"
        raise ToolError.permission(message, details={"resource": resource, "reason": reason})


def called_off(context: Context[SettingsT, CredentialsT]) -> None:
    """Mark a call as cancelled, for its handler and whatever that has started."""
    context._is_cancelled = True  # noqa: SLF001 - the pipeline's side of the context
    if context._cancelled is not None:  # noqa: SLF001 - the same
        context._cancelled.set()  # noqa: SLF001 - the same
