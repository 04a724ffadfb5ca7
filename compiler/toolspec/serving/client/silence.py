"""How long a server may say nothing: a clock that every sign of life starts anew."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from toolspec.runtime.errors import ToolError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator


class Clock:
    """The time since a server's last word about a request; it stands while a person is asked."""

    def __init__(self, timeout: asyncio.Timeout, seconds: float | None) -> None:
        self._timeout = timeout
        self._seconds = seconds
        self._asked = 0

    def restart(self) -> None:
        """Begin anew, for the server has said something."""
        if self._seconds is not None and not self._asked:
            self._ring(asyncio.get_running_loop().time() + self._seconds)

    @contextlib.contextmanager
    def stopped(self) -> Iterator[None]:
        """Count no time while the server waits for us, and begin anew afterwards."""
        self._asked += 1
        self._ring(None)
        try:
            yield
        finally:
            self._asked -= 1
            self.restart()

    def _ring(self, when: float | None) -> None:
        # What comes after the end of the request can move nothing any more.
        with contextlib.suppress(RuntimeError):
            self._timeout.reschedule(when)


@contextlib.asynccontextmanager
async def answered(request: str, seconds: float | None) -> AsyncIterator[Clock]:
    """Limit the silence in a block; None is no limit. Raises ToolError `timeout` when it is over."""
    timeout = asyncio.timeout(seconds)
    try:
        async with timeout:
            yield Clock(timeout, seconds)
    except TimeoutError:
        if not timeout.expired():
            raise
        message = f"{request} was not answered: the server said nothing for {seconds:g} seconds"
        raise ToolError.timeout(message, retryable=False) from None
