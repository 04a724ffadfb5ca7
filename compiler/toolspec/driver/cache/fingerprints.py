"""Fingerprints of files: times, size and inode, as one text.

A compile that has nothing to do imports this module, so it imports only what the interpreter has
loaded already.
"""

from __future__ import annotations

import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

# Two writes within one tick of a file system's clock can have the same times. Linux ticks at least
# every 10 ms; times in whole milliseconds may mean FAT, with ticks of two seconds.
FINE_TICK = 20_000_000
COARSE_TICK = 2_000_000_000
ABSENT = "-"
YOUNG = "?"


def look(path: str) -> tuple[int, ...]:
    """Return numbers that change with a file or a folder's entries; empty if it does not exist."""
    try:
        seen = os.stat(path)  # noqa: PTH116 - pathlib alone would double the time of a no-op
    except (OSError, ValueError):
        return ()
    return seen.st_mtime_ns, seen.st_ctime_ns, seen.st_size, seen.st_ino


def stamp(path: str) -> str:
    """Return the numbers of `look` as text; `-` if the path does not exist."""
    return " ".join(map(str, look(path))) or ABSENT


def looked(stamp: str) -> tuple[int, ...]:
    """Return the numbers of a fingerprint. Raises ValueError for one that is not reliable."""
    return () if stamp == ABSENT else tuple(map(int, stamp.split(" ")))


def stamp_to_read(path: str) -> str:
    """Return the fingerprint of a file about to be read; an unreliable one ends in `?`.

    A file that was written a moment ago may be written again and keep its fingerprint.
    """
    seen = stamp(path)
    return seen + YOUNG if settles_at(seen) > time.time_ns() else seen


def settles_at(stamp: str) -> int:
    """Return the time, in nanoseconds since the epoch, from which a fingerprint is reliable."""
    if stamp == ABSENT:
        return 0
    modified = int(stamp.split(" ", 1)[0])
    return modified + (FINE_TICK if modified % 1_000_000 else COARSE_TICK)


def stamps_of(paths: Iterable[str]) -> dict[str, str]:
    """Return the current fingerprints of some files and folders."""
    return {path: stamp(path) for path in paths}
