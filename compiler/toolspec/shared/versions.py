"""Order of the versions of a tool."""

from __future__ import annotations

Precedence = tuple[tuple[int, int, str], ...]


def precedence(version: str) -> Precedence:
    """Return a sort key: numbers as numbers, a pre-release before its release, no version lowest."""
    if not version:
        return ()
    release, _, early = version.partition("+")[0].partition("-")
    numbers = tuple(map(order_of_part, release.split(".")))
    if not early:
        return (*numbers, (0, 1, ""))
    return (*numbers, (0, 0, ""), *map(order_of_part, early.split(".")))


def order_of_part(word: str) -> tuple[int, int, str]:
    """Return a sort key of a part of a version: numbers as numbers, before other words."""
    if not word.isdecimal():
        return (2, 0, word)
    # Not as an integer: Python reads no more than 4,300 digits.
    digits = word.lstrip("0")
    return (1, len(digits), digits)
