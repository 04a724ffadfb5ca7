"""The end of a process that was told to go: it goes, whatever its handlers still do."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import sys
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType

LAST_SECONDS = 5
"""For calls and tasks under way when a server is told to stop, or its client has gone."""

_FLUSH_SECONDS = 1.0
"""For what is still to be written: whoever should read it may not."""


class Ending:
    """Ends this process so many seconds after `begin`, unless it has ended by itself before.

    Neither a thread that hangs nor a handler that blocks the event loop keeps it. The thread that
    sees to it runs from here on, for a signal may come where none could be started.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._told: queue.SimpleQueue[int] = queue.SimpleQueue()
        threading.Thread(target=self._watch, daemon=True).start()

    def begin(self, status: int) -> None:
        """Let the time begin; told again, the process ends at once. With the first exit status."""
        self._told.put(status)

    def begin_at_interrupt(self) -> None:
        """Let the time begin at a Ctrl-C too, which is handled as before; from the main thread only."""
        handle = signal.getsignal(signal.SIGINT)
        if not callable(handle):
            return

        def interrupted(number: int, frame: FrameType | None) -> None:
            self.begin(128 + number)
            handle(number, frame)

        signal.signal(signal.SIGINT, interrupted)

    def _watch(self) -> None:
        status = self._told.get()
        with contextlib.suppress(queue.Empty):
            self._told.get(timeout=self._seconds)
        flushing = threading.Thread(target=_flush, daemon=True)
        flushing.start()
        flushing.join(_FLUSH_SECONDS)
        os._exit(status)


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):  # closed, or nobody reads it any more
            stream.flush()
