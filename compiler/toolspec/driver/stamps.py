"""Whether a file is still the one that was seen: its times, its size and its inode, as one text.

On the way of a compile that finds nothing to do: it imports what the interpreter has loaded already,
and no more.
"""

from __future__ import annotations

import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# Two writes within one tick of the clock that a file system keeps can leave the same times. Linux ticks
# at least every 10 ms; where times are whole milliseconds the tick may be FAT's: two seconds.
FINE_TICK = 20_000_000
COARSE_TICK = 2_000_000_000
ABSENT = "-"
YOUNG = "?"


def look(path: str) -> tuple[int, ...]:
    """Return what changes whenever a file does, or a folder's entries do; empty where there is neither."""
    try:
        seen = os.stat(path)  # noqa: PTH116 - pathlib alone would double the time of a no-op
    except (OSError, ValueError):
        return ()
    return seen.st_mtime_ns, seen.st_ctime_ns, seen.st_size, seen.st_ino


def stamp(path: str) -> str:
    """Return what `look` does as a text that can be kept; `-` where there is nothing."""
    return " ".join(map(str, look(path))) or ABSENT


def looked(stamp: str) -> tuple[int, ...]:
    """Return what a stamp was made of. Raises ValueError for one that proves nothing."""
    return () if stamp == ABSENT else tuple(map(int, stamp.split(" ")))


def stamp_to_read(path: str) -> str:
    """Return the stamp of a file that is read now; one that proves nothing of it ends in `?`.

    A file that was written a moment ago may be written again and keep its stamp.
    """
    seen = stamp(path)
    return seen + YOUNG if settles_at(seen) > time.time_ns() else seen


def settles_at(stamp: str) -> int:
    """Return the time, in nanoseconds since the epoch, from which a change must change the stamp."""
    if stamp == ABSENT:
        return 0
    modified = int(stamp.split(" ", 1)[0])
    return modified + (FINE_TICK if modified % 1_000_000 else COARSE_TICK)


def stamps_of(paths: Iterable[str]) -> dict[str, str]:
    """Return the stamps of some files and folders as they are now."""
    return {path: stamp(path) for path in paths}


def hold(stamps: Mapping[str, str]) -> bool:
    """Whether everything still has its stamp."""
    return all(stamp(path) == seen for path, seen in stamps.items())
