"""Connection of a client to a server: opened by a separate task, and reopened when lost."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from typing import TYPE_CHECKING

import mcp_types as types
from mcp.shared.exceptions import MCPError

from toolspec.runtime.errors import ToolError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Iterator

    from mcp import Client


UNREACHABLE = "unreachable"


class IdleClock:
    """The time since the last message for a request, paused while the user is asked."""

    def __init__(self, timeout: asyncio.Timeout, seconds: float | None) -> None:
        self._timeout = timeout
        self._seconds = seconds
        self._open_questions = 0

    def restart(self) -> None:
        """Restart the timeout after a message of the server."""
        if self._seconds is not None and not self._open_questions:
            self._ring(asyncio.get_running_loop().time() + self._seconds)

    @contextlib.contextmanager
    def stopped(self) -> Iterator[None]:
        """Pause the timeout while the server waits for the client, then restart it."""
        self._open_questions += 1
        self._ring(None)
        try:
            yield
        finally:
            self._open_questions -= 1
            self.restart()

    def _ring(self, when: float | None) -> None:
        # After the end of the request there is nothing to reschedule.
        with contextlib.suppress(RuntimeError):
            self._timeout.reschedule(when)


@contextlib.asynccontextmanager
async def answered(request: str, seconds: float | None) -> AsyncIterator[IdleClock]:
    """Limit the silence in a block; None is unlimited. Raises ToolError `timeout`."""
    timeout = asyncio.timeout(seconds)
    try:
        async with timeout:
            yield IdleClock(timeout, seconds)
    except TimeoutError:
        if not timeout.expired():
            raise
        message = f"{request} was not answered: the server sent nothing for {seconds:g} seconds"
        raise ToolError.timeout(message, retryable=False) from None


class SessionGoneError(ToolError):
    """A request did not run, since the server no longer has the session of its client."""


class Connection:
    """Opens a client on first use.

    Its scopes must be entered and left by the same task, the keeper. Raises RuntimeError if used
    from a second event loop. `watch` runs as long as a client is open.
    """

    def __init__(
        self,
        make: Callable[[], Client],
        timeout: float | None,
        address: str = "",
        watch: Callable[[Client], Coroutine[None, None, None]] | None = None,
    ) -> None:
        self._make = make
        self._watch = watch
        self._address = address
        self._timeout = timeout
        self._loop: asyncio.AbstractEventLoop | None = None
        self._opening = asyncio.Lock()
        self._keeper: asyncio.Task[None] | None = None
        self._client: Client | None = None
        self._leaving = asyncio.Event()
        self._keepers: set[asyncio.Task[None]] = set()
        # By the `id` of their client, since clients have no hash.
        self._requests: Counter[int] = Counter()
        self._retired: dict[int, asyncio.Event] = {}

    async def client(self) -> Client:
        """Return the open client.

        Raises ToolError `unavailable` if the server is unreachable, `timeout` if it does not
        respond.
        """
        loop = asyncio.get_running_loop()
        if self._loop not in (None, loop):
            problem = "a connection belongs to one event loop: share a portal, or open another"
            raise RuntimeError(problem)
        self._loop = loop
        async with self._opening:
            if self._client is None:
                async with answered("the handshake", self._timeout):
                    self._client = await self._opened()
            return self._client

    def drop(self, client: Client) -> None:
        """Discard a client that has lost its server; the next call opens another."""
        if self._client is client:
            self._client = None
            self._leaving.set()

    def retire(self, client: Client) -> None:
        """Let the next call open another client; this one is closed after the last of its requests."""
        if self._client is client:
            self._retired[id(client)] = self._leaving
            self._client = self._keeper = None

    @contextlib.contextmanager
    def used(self, client: Client) -> Iterator[None]:
        """Count a request of a client, for which it stays open when it is retired."""
        key = id(client)
        self._requests[key] += 1
        try:
            yield
        finally:
            self._requests[key] -= 1
            if not self._requests[key]:
                del self._requests[key]
                if (leaving := self._retired.pop(key, None)) is not None:
                    leaving.set()

    async def close(self) -> None:
        """Close the client if it is open, and those that are retired."""
        self._client = None
        for leaving in (self._leaving, *self._retired.values()):
            leaving.set()
        if self._keepers:
            await asyncio.wait(self._keepers)

    async def _opened(self) -> Client:
        if self._keeper is not None:
            await asyncio.wait([self._keeper])
        self._leaving = asyncio.Event()
        opened: asyncio.Future[Client] = asyncio.get_running_loop().create_future()
        self._keeper = asyncio.create_task(self._keep(self._leaving, opened))
        self._keepers.add(self._keeper)
        self._keeper.add_done_callback(self._keepers.discard)
        try:
            return await opened
        except asyncio.CancelledError:
            self._keeper.cancel()
            raise

    async def _keep(self, leaving: asyncio.Event, opened: asyncio.Future[Client]) -> None:
        try:
            async with self._make() as client:
                watching = asyncio.create_task(self._watch(client)) if self._watch else None
                try:
                    if not opened.done():
                        opened.set_result(client)
                    await leaving.wait()
                finally:
                    if watching is not None:
                        watching.cancel()
                        await asyncio.wait([watching])
        except Exception as problem:  # noqa: BLE001 - any failure is reported below
            if not opened.done():
                opened.set_exception(unreachable(problem, self._address))


def unreachable(problem: BaseException, address: str = "") -> ToolError:
    """Return the error for a server that could not be reached."""
    server = f"the server `{address}`" if address else "the server"
    while isinstance(problem, BaseExceptionGroup):
        problem = problem.exceptions[0]
    reason = str(problem) or type(problem).__name__
    if isinstance(problem, MCPError) and problem.code != types.CONNECTION_CLOSED:
        message = f"{server} does not answer as an MCP server: {reason}"
    elif isinstance(problem, MCPError):
        message = f"{server} cannot be reached: it ended before it answered; is it running?"
    else:
        message = f"{server} cannot be reached: {reason}; is it running?"
    return ToolError.unavailable(message, code=UNREACHABLE)
