"""How a command tells its findings: the format, how much, and which of them fail it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from toolspec.cli import console
from toolspec.cli.exit_codes import Exit
from toolspec.diagnostics import Severity

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolspec.diagnostics import Diagnostic


class Format(StrEnum):
    """How findings are printed."""

    TEXT = "text"
    SHORT = "short"
    JSON = "json"
    GITHUB = "github"


class FailOn(StrEnum):
    """The weight from which a finding fails the command."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Telling:
    """What a person asked for with `--format`, `--fail-on` and `--verbose`, or leaves to be."""

    form: Format = Format.TEXT
    fail_on: FailOn = FailOn.ERROR
    verbose: bool = False

    @property
    def is_text(self) -> bool:
        """Whether the result is told to a person; every other format has findings and nothing else."""
        return self.form is Format.TEXT

    def text(self, found: tuple[Diagnostic, ...]) -> str:
        """Return the findings for the standard output."""
        return console.findings(found, self.form, verbose=self.verbose)

    def report(self, found: tuple[Diagnostic, ...]) -> None:
        """Print the findings; in a GitHub workflow, `--format github` fills the step's summary too."""
        console.report(found, self.form, verbose=self.verbose)

    def status(self, found: tuple[Diagnostic, ...]) -> Exit:
        """Return the exit status that the findings ask for."""
        return status(found, self.fail_on)


def status(diagnostics: Iterable[Diagnostic], fail_on: FailOn = FailOn.ERROR) -> Exit:
    """Return the exit status that some findings ask for.

    Usage and configuration (`config/…`, paths that lead nowhere, a folder in use) are the caller's
    mistakes: 2.
    """
    diagnostics = tuple(diagnostics)
    errors = [each for each in diagnostics if each.severity is Severity.ERROR]
    if any(
        each.code.startswith(("config/", "project/no-specs", "project/missing-", "output/busy"))
        for each in errors
    ):
        return Exit.USAGE
    limit = _WEIGHT[Severity(fail_on.value)]
    return Exit.FINDINGS if any(_WEIGHT[d.severity] >= limit for d in diagnostics) else Exit.CLEAN


_WEIGHT = {Severity.NOTE: 0, Severity.WARNING: 1, Severity.ERROR: 2}
