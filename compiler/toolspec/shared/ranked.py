"""Enumerations whose members have an order."""

from __future__ import annotations

from enum import StrEnum


class Ranked(StrEnum):
    """An enumeration in its order of definition: `rank` is 0 for the first member."""

    rank: int

    def __init__(self, value: str) -> None:
        del value
        self.rank = len(type(self).__members__)
