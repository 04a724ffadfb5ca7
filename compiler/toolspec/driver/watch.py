"""File watcher: polls the files and folders that a build depends on until one changes."""

from __future__ import annotations

import time
from math import ceil, inf
from typing import TYPE_CHECKING

from toolspec.driver.cache.fingerprints import COARSE_TICK, YOUNG, look, looked, settles_at

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

    def wait(self, stamps: Mapping[str, str], ended: Event) -> None:
        """Return once a stamp no longer holds and then none changes for a moment, or when ended.

        Also return once a file that was read too soon after it was written can be read for sure.
        """
        seen = {path: looked(stamp.removesuffix(YOUNG)) for path, stamp in stamps.items()}
        settled = _settled_at(stamps.values())
        polls = self._polls(seen)
        while time.time_ns() < settled and all(look(path) == seen[path] for path in next(polls)):
            if ended.wait(INTERVAL):
                return
        before, now = seen, _looks(seen)
        changed = {path for path in seen if now[path] != seen[path]}
        while before != now and not ended.wait(REST):
            before, now = now, _looks(seen)
            changed.update(path for path in seen if now[path] != before[path])
        self._recent = [*sorted(changed), *(each for each in self._recent if each not in changed)]
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
    return {path: look(path) for path in paths}


def _settled_at(stamps: Iterable[str]) -> float:
    """Return when files that were read too soon can be read for sure, in nanoseconds.

    A file from the future never can; of its stamp, the time of the change to its inode shows a write.
    """
    young = (settles_at(stamp.removesuffix(YOUNG)) for stamp in stamps if stamp.endswith(YOUNG))
    latest = time.time_ns() + COARSE_TICK
    return max((at for at in young if at <= latest), default=inf)
