"""An event loop whose clock jumps to the next timer when nothing else can happen: no test waits."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import Any

T = TypeVar("T")


class SteppingLoop(asyncio.SelectorEventLoop):
    """Its `time()` begins at 0 and moves only by jumps."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        real = self._selector.select  # type: ignore[attr-defined]

        def select(timeout: float | None = None) -> object:
            events = real(0 if timeout is not None else None)
            if not events and timeout:
                self.now += timeout
            return events

        self._selector.select = select  # type: ignore[attr-defined]

    def time(self) -> float:
        return self.now

    async def shutdown_default_executor(self, *_: object) -> None:
        """Wait for the threads: from Python 3.12 on there is a timeout, which the clock jumps to."""
        await super().shutdown_default_executor()


def run(main: Coroutine[Any, Any, T]) -> T:
    """Return what the coroutine returns, run in a loop of its own."""
    with asyncio.Runner(loop_factory=SteppingLoop) as runner:
        return runner.run(main)


def now() -> float:
    """Return the running loop's time, to the millisecond."""
    return round(asyncio.get_running_loop().time(), 3)
