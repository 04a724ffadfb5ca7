"""One row of the table."""

from __future__ import annotations

from dataclasses import dataclass

SECOND, MILLI = "s CPU", "ms CPU"


@dataclass(frozen=True)
class Row:
    """One comparison: what was measured on both sides, and the figure beside its goal.

    `figure` is a ratio, or a quantity in `unit`; `goal` begins with ≥ or ≤. A row that could not be
    measured has no figure, and `note` says why.
    """

    number: str
    what: str
    goal: str
    against: str
    figure: float | None = None
    unit: str = "×"
    ours: str = ""
    theirs: str = ""
    note: str = ""

    @property
    def is_met(self) -> bool:
        """Whether the figure is within its goal."""
        limit = float(self.goal[1:].split()[0].rstrip("×%"))
        assert self.figure is not None
        return self.figure >= limit if self.goal.startswith("≥") else self.figure <= limit
