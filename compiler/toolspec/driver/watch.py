"""File watcher: polls the files and folders that a build depends on until one changes."""

from __future__ import annotations

import time
from math import ceil, inf
from typing import TYPE_CHECKING

from toolspec.driver.incremental.fingerprints import (
    COARSE_TICK,
    UNRELIABLE,
    numbers_of,
    reliable_from,
    stat_numbers,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from threading import Event

# In seconds. An editor writes a file in several steps; version control, many files.
INTERVAL = 0.2
REST = 0.1
# 300 paths a poll keep 2,000 files below 0.5 % of a core. In a larger project all paths are polled in
# 25 intervals, which is five seconds.
PATHS = 300
INTERVALS = 25
RECENT = 16


class Watcher:
    """Waits for changes, and polls the paths that changed last more often than the others."""

    def __init__(self) -> None:
        self._recent: list[str] = []

    def wait(self, inputs: Mapping[str, str], ended: Event) -> None:
        """Return after a change once no file changes for a moment, or when ended.

        Also return once a file that was read too soon after a write can be read reliably.
        """
        seen = {
            path: numbers_of(fingerprint.removesuffix(UNRELIABLE))
            for path, fingerprint in inputs.items()
        }
        settled = _settled_at(inputs.values())
        polls = self._polls(seen)
        while time.time_ns() < settled and all(
            stat_numbers(path) == seen[path] for path in next(polls)
        ):
            if ended.wait(INTERVAL):
                return
        before, now = seen, _looks(seen)
        changed = {path for path in seen if now[path] != seen[path]}
        while before != now and not ended.wait(REST):
            before, now = now, _looks(seen)
            changed.update(path for path in seen if now[path] != before[path])
        self._recent = [*sorted(changed), *(path for path in self._recent if path not in changed)]
        del self._recent[RECENT:]

    def _polls(self, seen: Iterable[str]) -> Iterator[list[str]]:
        """Yield the paths of each poll, without end: some in turn, and those that changed last."""
        paths = sorted(seen)
        recent = [path for path in self._recent if path in seen]
        size = max(PATHS, ceil(len(paths) / INTERVALS))
        while True:
            for start in range(0, max(len(paths), 1), size):
                yield recent + paths[start : start + size]


def _looks(paths: Iterable[str]) -> dict[str, tuple[int, ...]]:
    return {path: stat_numbers(path) for path in paths}


def _settled_at(fingerprints: Iterable[str]) -> float:
    """Return when files that were read too soon can be read reliably, in nanoseconds.

    A file with a modification time in the future never can; a write changes the time of its inode.
    """
    young = (
        reliable_from(fingerprint.removesuffix(UNRELIABLE))
        for fingerprint in fingerprints
        if fingerprint.endswith(UNRELIABLE)
    )
    latest = time.time_ns() + COARSE_TICK
    return max((at for at in young if at <= latest), default=inf)
