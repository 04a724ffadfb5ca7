"""Retry policy of clients."""

from __future__ import annotations

from toolspec.runtime.client.transport import LOST
from toolspec.runtime.record import Record

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from toolspec.runtime.errors import ToolError


class Retries(Record):
    """The number of retries, and the backoff between them in seconds.

    Each pause is twice the previous one, up to `longest`, minus a random share of up to a half, so
    that clients do not retry simultaneously. A server's `retry_after_ms` is added; if the wait
    would exceed `patience`, the call is not retried.
    """

    times: int = 3
    first: float = 0.25
    longest: float = 8.0
    patience: float = 60.0
    sleep: Callable[[float], Awaitable[None]] | None = None
    """Defaults to `asyncio.sleep`."""
    random: Callable[[], float] | None = None
    """Returns a number from 0 to 1."""

    def pause(self, error: ToolError, repeated: int) -> float | None:
        """Return the seconds to wait after an error; None if the call is not retried."""
        retry_after = max(0, error.retry_after_ms or 0) / 1000
        passing = error.retryable or error.code == LOST
        if not passing or repeated >= self.times or retry_after > self.patience:
            return None
        return retry_after + min(self.longest, self.first * 2.0**repeated) * (
            1 - self._chance() / 2
        )

    async def wait(self, seconds: float) -> None:
        """Sleep for `seconds`."""
        if self.sleep is not None:
            await self.sleep(seconds)
            return
        import asyncio

        await asyncio.sleep(seconds)

    def _chance(self) -> float:
        if self.random is not None:
            return self.random()
        import random

        return random.random()  # noqa: S311 - jitter, not a secret
