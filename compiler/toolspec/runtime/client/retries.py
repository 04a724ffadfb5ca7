"""When a client repeats a call, and how long it waits before that."""

from __future__ import annotations

from toolspec.runtime.record import Record
from toolspec.runtime.transport import LOST

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from toolspec.runtime.errors import ToolError


class Retries(Record):
    """How often a call is repeated, and the pauses in between, in seconds.

    A pause is twice as long as the one before it, up to `longest`, and shortened by chance by up
    to a half, so that many clients do not come back at one time. What a server asks for
    (`retry_after_ms`) is added; a call that should wait longer than `patience` is given up.
    """

    times: int = 3
    first: float = 0.25
    longest: float = 8.0
    patience: float = 60.0
    sleep: Callable[[float], Awaitable[None]] | None = None
    """`asyncio.sleep`, unless a program or a test has its own."""
    random: Callable[[], float] | None = None
    """A number from 0 to 1."""

    def pause(self, error: ToolError, repeated: int) -> float | None:
        """Return for how long to wait after an error; None where it is not to be repeated."""
        asked = max(0, error.retry_after_ms or 0) / 1000
        passing = error.retryable or error.code == LOST
        if not passing or repeated >= self.times or asked > self.patience:
            return None
        return asked + min(self.longest, self.first * 2.0**repeated) * (1 - self._chance() / 2)

    async def wait(self, seconds: float) -> None:
        """Return after so many seconds."""
        if self.sleep is not None:
            await self.sleep(seconds)
            return
        import asyncio

        await asyncio.sleep(seconds)

    def _chance(self) -> float:
        if self.random is not None:
            return self.random()
        import random

        return random.random()  # noqa: S311 - spreads clients over time, and keeps no secret
