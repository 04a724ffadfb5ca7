"""Shutdown of a server process within seconds, even if handlers still run."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import sys
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

LAST_SECONDS = 5
"""Seconds for unfinished calls and tasks after a server is stopped or its client is gone."""

CANCELLED_SECONDS = 1
"""Seconds for cancelled work and other cleanup after that."""

_FLUSH_SECONDS = 1.0
"""Seconds to flush output, whose reader may be blocked."""


class Shutdown:
    """Exits the process a number of seconds after `begin`, unless it has ended before.

    Neither hung threads nor handlers that block the event loop prevent it. Its thread is started in
    advance, because a signal may arrive when no thread can be started.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._statuses: queue.SimpleQueue[int] = queue.SimpleQueue()
        threading.Thread(target=self._watch, daemon=True).start()

    def begin(self, status: int) -> None:
        """Start the countdown with an exit status; a second call exits at once with that status."""
        self._statuses.put(status)

    def begin_at_interrupt(self) -> None:
        """Also start the countdown at Ctrl-C, before its existing handler; main thread only."""
        handle = signal.getsignal(signal.SIGINT)
        if not callable(handle):
            return

        def interrupted(number: int, frame: FrameType | None) -> None:
            self.begin(128 + number)
            handle(number, frame)

        signal.signal(signal.SIGINT, interrupted)

    def begin_at_termination(self, stop: Callable[[], object]) -> None:
        """Also start the countdown at SIGTERM, and call a function then; main thread only."""

        def terminated(number: int, _: FrameType | None) -> None:
            self.begin(128 + number)
            stop()

        signal.signal(signal.SIGTERM, terminated)

    def _watch(self) -> None:
        status = self._statuses.get()
        with contextlib.suppress(queue.Empty):
            self._statuses.get(timeout=self._seconds)
        flushing = threading.Thread(target=_flush, daemon=True)
        flushing.start()
        flushing.join(_FLUSH_SECONDS)
        os._exit(status)


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):  # closed, or no longer read
            stream.flush()
