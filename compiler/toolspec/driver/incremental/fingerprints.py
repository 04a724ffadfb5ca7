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
UNRELIABLE = "?"


def stat_numbers(path: str) -> tuple[int, ...]:
    """Return numbers that change with a file or a folder's entries; empty if it does not exist."""
    try:
        status = os.stat(path)  # noqa: PTH116 - pathlib alone would double the time of a no-op
    except (OSError, ValueError):
        return ()
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino


def fingerprint(path: str) -> str:
    """Return the fingerprint of a path; `-` if it does not exist."""
    return " ".join(map(str, stat_numbers(path))) or ABSENT


def numbers_of(fingerprint: str) -> tuple[int, ...]:
    """Return the numbers of a fingerprint. Raises ValueError for one that is not reliable."""
    return () if fingerprint == ABSENT else tuple(map(int, fingerprint.split(" ")))


def fingerprint_to_read(path: str) -> str:
    """Return the fingerprint of a file about to be read; an unreliable one ends in `?`.

    A file that was written a moment ago may be written again and keep its fingerprint.
    """
    current = fingerprint(path)
    return current + UNRELIABLE if reliable_from(current) > time.time_ns() else current


def reliable_from(fingerprint: str) -> int:
    """Return the time, in nanoseconds since the epoch, from which a fingerprint is reliable."""
    if fingerprint == ABSENT:
        return 0
    modified = int(fingerprint.split(" ", 1)[0])
    return modified + (FINE_TICK if modified % 1_000_000 else COARSE_TICK)


def fingerprints_of(paths: Iterable[str]) -> dict[str, str]:
    """Return the current fingerprints of files and folders by path."""
    return {path: fingerprint(path) for path in paths}
