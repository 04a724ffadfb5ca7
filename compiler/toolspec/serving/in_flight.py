"""Counts the calls and requests that a server has begun; cancels them for `shutdown.py`."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

import anyio

from toolspec.serving.shutdown import CANCELLED_SECONDS, LAST_SECONDS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_PAUSE = 0.02


class Scopes:
    """Blocks of code that run at the moment, each of which can be cancelled."""

    def __init__(self) -> None:
        self._scopes: set[anyio.CancelScope] = set()
        self._change = asyncio.Event()

    def __len__(self) -> int:
        return len(self._scopes)

    @contextlib.contextmanager
    def entered(self) -> Iterator[anyio.CancelScope]:
        """Count a block; it ends silently if it is cancelled."""
        with anyio.CancelScope() as scope:
            self._scopes.add(scope)
            try:
                yield scope
            finally:
                self._scopes.discard(scope)
                if not self._scopes:
                    self._change.set()

    async def end(self, seconds: float) -> None:
        """Wait until no block runs; cancel those that still run after some seconds."""
        await self._wait(seconds)
        for scope in tuple(self._scopes):
            scope.cancel()
        await self._wait(CANCELLED_SECONDS)

    async def _wait(self, seconds: float) -> None:
        with anyio.move_on_after(seconds):
            while self._scopes:
                self._change.clear()
                await self._change.wait()


class InFlight:
    """The calls of a server, and the HTTP requests that carry calls or wait for messages.

    At the end, calls have `seconds` to finish.
    """

    def __init__(self) -> None:
        self.seconds: float = LAST_SECONDS
        self.calls = Scopes()
        self.requests = Scopes()
        self.is_stopping = False

    async def end(self) -> None:
        """Refuse further calls, and give those that run some seconds; end what remains.

        A call that is ended is answered with an error.
        """
        self.is_stopping = True
        await self.calls.end(self.seconds)
        await anyio.sleep(_PAUSE)  # answers take some turns of the loop
        # Requests without a call wait for messages, and no more will come.
        await self.requests.end(_PAUSE)


class EndingRequests:
    """ASGI middleware that ends requests when the server stops."""

    def __init__(self, app: Any, in_flight: InFlight) -> None:
        self._app = app
        self._requests = in_flight.requests

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Run a request; complete the response of one that is ended."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        is_begun = is_complete = False

        async def sending(message: Any) -> None:
            nonlocal is_begun, is_complete
            is_begun = True
            is_complete = message["type"] == "http.response.body" and not message.get("more_body")
            await send(message)

        with self._requests.entered() as block:
            await self._app(scope, receive, sending)
        if block.cancelled_caught and not is_complete:
            if not is_begun:
                await send({"type": "http.response.start", "status": 503, "headers": []})
            await send({"type": "http.response.body", "body": b""})
