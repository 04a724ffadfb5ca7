"""`python -m toolspec.cli.child`: the command as a child of another process, with whose end it ends."""

from __future__ import annotations

import os
import signal
from threading import Thread

from toolspec.cli.main import main

_STDIN = 0


def _end_with_parent() -> None:
    """End this process at the end of its standard input, which its parent keeps open."""
    while os.read(_STDIN, 1):
        pass
    signal.raise_signal(signal.SIGTERM)


if __name__ == "__main__":  # a worker process imports this module as well
    Thread(target=_end_with_parent, daemon=True).start()
    main()
