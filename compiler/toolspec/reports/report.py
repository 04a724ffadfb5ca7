"""Interface of report formats: the diagnostics in order, and the options of their presentation."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, TypedDict

from toolspec.diagnostics import Severity
from toolspec.shared.records import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolspec.diagnostics import Diagnostic

WIDTH = 120


class ReportStyle(TypedDict, total=False):
    """Options of a report; the fields of `Report` explain them."""

    color: bool
    verbose: bool
    width: int
    documents: tuple[str, ...]
    base: str
    shown: Callable[[str], str]
    limit: Severity


@dataclass(frozen=True, slots=True)
class Report:
    """Diagnostics sorted by file and location: reported ones, and suppressed ones.

    `documents` are the checked files, clean ones too. `base` leads from the root of the repository
    to the project, for services that identify files by their path in it. `shown` returns the path by
    which the reader of a report opens a file. A diagnostic of at least the severity `limit` fails
    the command. `width` is the number of terminal columns that source
    lines are cut to.
    """

    diagnostics: tuple[Diagnostic, ...] = field(repr=False)
    suppressed: tuple[Diagnostic, ...] = field(default=(), repr=False)
    documents: tuple[str, ...] = ()
    base: str = ""
    shown: Callable[[str], str] = field(default=str, repr=False)
    limit: Severity = Severity.ERROR
    color: bool = False
    verbose: bool = False
    width: int = WIDTH

    @property
    def everything(self) -> tuple[Diagnostic, ...]:
        """All diagnostics, suppressed ones included, in order."""
        return tuple(
            sorted((*self.diagnostics, *self.suppressed), key=lambda diagnostic: diagnostic.order)
        )

    @property
    def counts(self) -> dict[Severity, int]:
        """The number of reported diagnostics by severity, the gravest first."""
        counted = Counter(diagnostic.severity for diagnostic in self.diagnostics)
        return {severity: counted[severity] for severity in Severity}

    @property
    def files(self) -> int:
        """The number of files with diagnostics."""
        return len(
            {diagnostic.span.source.path for diagnostic in self.diagnostics if diagnostic.span}
        )

    @property
    def summary(self) -> str:
        """The counts in words, such as `2 errors, 1 warning in 3 files, 4 suppressed`."""
        counted = [
            _count(number, str(severity)) for severity, number in self.counts.items() if number
        ]
        where = f" in {_count(self.files, 'file')}" if self.files else ""
        hidden = f", {len(self.suppressed)} suppressed" if self.suppressed else ""
        return ", ".join(counted) + where + hidden


@dataclass(frozen=True, slots=True)
class Format:
    """A format: its name on the command line, and a pure function from a report to its text."""

    name: str
    render: Callable[[Report], str]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
