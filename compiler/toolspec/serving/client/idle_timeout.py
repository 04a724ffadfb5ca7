"""Idle timeout of requests to a server."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from toolspec.runtime.errors import ToolError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator


class IdleClock:
    """The time since the last message for a request, paused while the user is asked."""

    def __init__(self, timeout: asyncio.Timeout, seconds: float | None) -> None:
        self._timeout = timeout
        self._seconds = seconds
        self._asked = 0

    def restart(self) -> None:
        """Restart the timeout after a message of the server."""
        if self._seconds is not None and not self._asked:
            self._ring(asyncio.get_running_loop().time() + self._seconds)

    @contextlib.contextmanager
    def stopped(self) -> Iterator[None]:
        """Pause the timeout while the server waits for the client, then restart it."""
        self._asked += 1
        self._ring(None)
        try:
            yield
        finally:
            self._asked -= 1
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
        message = f"{request} was not answered: the server said nothing for {seconds:g} seconds"
        raise ToolError.timeout(message, retryable=False) from None
