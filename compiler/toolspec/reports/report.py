"""What a format is, and what it gets: the findings in order, and how they are to be shown."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolspec.diagnostics import Diagnostic


@dataclass(frozen=True, slots=True)
class Report:
    """Findings sorted by file and place; `width` in terminal columns."""

    diagnostics: tuple[Diagnostic, ...] = field(repr=False)
    color: bool
    verbose: bool
    width: int

    @property
    def counts(self) -> dict[Severity, int]:
        """How many findings there are of each severity, the gravest first."""
        counted = Counter(each.severity for each in self.diagnostics)
        return {severity: counted[severity] for severity in Severity}

    @property
    def files(self) -> int:
        """In how many files the findings are."""
        return len({each.span.source.path for each in self.diagnostics if each.span})

    @property
    def summary(self) -> str:
        """The counts in words, such as `2 errors, 1 warning in 3 files`."""
        counted = [
            _count(number, str(severity)) for severity, number in self.counts.items() if number
        ]
        where = f" in {_count(self.files, 'file')}" if self.files else ""
        return ", ".join(counted) + where


@dataclass(frozen=True, slots=True)
class Format:
    """A format: its name on the command line, and a pure function from a report to its text."""

    name: str
    render: Callable[[Report], str]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
