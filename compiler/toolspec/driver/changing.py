"""Waits until something that a build depends on changes, and has come to rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.driver.stamps import hold, stamps_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from threading import Event

# In seconds. An editor writes a file in several steps; version control, many files.
POLL = 0.1
REST = 0.1


def wait_for_change(seen: Mapping[str, str], ended: Event) -> None:
    """Return once a stamp no longer holds and then none changed for a moment, or when it is ended.

    A file that was read too soon after it was written counts as changed.
    """
    while hold(seen):
        if ended.wait(POLL):
            return
    now = stamps_of(seen)
    while not ended.wait(REST) and not hold(now):
        now = stamps_of(seen)
