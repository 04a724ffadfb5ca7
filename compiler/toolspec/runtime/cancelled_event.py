"""The event of a cancelled call; a module of its own, since most calls need no asyncio.Event."""

from __future__ import annotations

import asyncio
import threading

from toolspec.runtime.failure import is_cancelling


class CancelledEvent(asyncio.Event):
    """Set once a call is cancelled.

    While a CancelledError passes through the handler, only the handler sees the event set: a time
    limit of its own may still take the cancellation back, and released waiters cannot be.
    """

    def __init__(self) -> None:
        super().__init__()
        self._unwinding: int | None = None

    def is_set(self) -> bool:
        """Return whether the call is cancelled."""
        if super().is_set():
            return True
        return self._unwinding == threading.get_ident() and is_cancelling()

    def unwind(self, *, is_unwinding: bool) -> None:
        """Note that a CancelledError passes through the handler in this thread, or has passed."""
        self._unwinding = threading.get_ident() if is_unwinding else None
