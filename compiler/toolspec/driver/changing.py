"""Waits until a dependency of a build changes and no further change follows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.driver.stamps import hold, stamps_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from threading import Event

# In seconds. An editor writes a file in several steps, and version control many files.
POLL = 0.1
REST = 0.1


def wait_for_change(seen: Mapping[str, str], ended: Event) -> None:
    """Return after a fingerprint changed and then none for a moment, or when `ended` is set.

    A file that was read too soon after it was written counts as changed.
    """
    while hold(seen):
        if ended.wait(POLL):
            return
    now = stamps_of(seen)
    while not ended.wait(REST) and not hold(now):
        now = stamps_of(seen)
