"""mypy for one test at a time: `one_mypy.py CACHE ARGUMENT...`, since all tests share a cache."""

from __future__ import annotations

import fcntl
import os
import sys
from pathlib import Path

if __name__ == "__main__":
    cache = Path(sys.argv[1])
    cache.mkdir(parents=True, exist_ok=True)
    lock = os.open(cache / "lock", os.O_CREAT | os.O_RDWR)
    fcntl.flock(lock, fcntl.LOCK_EX)
    os.set_inheritable(lock, True)  # noqa: FBT003 - it is held until mypy ends
    command = [sys.executable, "-m", "mypy", f"--cache-dir={cache}", *sys.argv[2:]]
    os.execv(sys.executable, command)  # noqa: S606 - no shell, arguments of our own tests
