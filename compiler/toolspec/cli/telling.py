"""How a command tells its findings: the format, how much, and which of them fail it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolspec.cli import console, options

if TYPE_CHECKING:
    from toolspec.cli.exit_codes import Exit
    from toolspec.diagnostics import Diagnostic


@dataclass(frozen=True, slots=True)
class Telling:
    """What a person asked for with `--format`, `--fail-on` and `--verbose`."""

    form: options.Format
    fail_on: options.FailOn
    verbose: bool

    def text(self, found: tuple[Diagnostic, ...]) -> str:
        """Return the findings for the standard output."""
        return console.findings(found, self.form, verbose=self.verbose)

    def status(self, found: tuple[Diagnostic, ...]) -> Exit:
        """Return the exit status that the findings ask for."""
        return options.status(found, self.fail_on)
