"""What some work does, counted: no busy machine changes the number."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def calls(work: Callable[[], object]) -> int:
    """Return how many functions of Python some work calls."""
    counted = 0

    def count(frame: object, event: str, _: object) -> None:
        nonlocal counted
        counted += event == "call"

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return counted
