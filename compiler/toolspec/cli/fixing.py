"""Implementation of `toolspec check --fix` and `--diff`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.cli import console, diffs
from toolspec.cli.exit_codes import Exit
from toolspec.driver import fixing

if TYPE_CHECKING:
    from toolspec.cli.report_options import ReportOptions
    from toolspec.driver.build import Request
    from toolspec.driver.fixing import FixResult


def fix(request: Request, report_options: ReportOptions, *, unsafe: bool) -> Exit:
    """Apply fixes, print the remaining diagnostics and a summary, and return the exit status."""
    with console.progress("fixing") as step:
        fixed = fixing.fix(request, unsafe=unsafe, progress=step)
    found = report_options.report(fixed.checked.diagnostics, fixed.checked.value)
    if report_options.is_text:
        console.say(summary(fixed))
    return report_options.status(found)


def show(request: Request, report_options: ReportOptions, *, unsafe: bool) -> Exit:
    """Print what `fix` would change and write nothing; without any, print the diagnostics."""
    with console.progress("fixing") as step:
        fixed = fixing.fix(request, unsafe=unsafe, write=False, progress=step)
    found = fixed.checked.diagnostics
    if not fixed.files:
        return report_options.status(report_options.report(found, fixed.checked.value))
    diffs.show(each.diff for each in fixed.files)
    return report_options.status(found) or Exit.FINDINGS


def summary(fixed: FixResult) -> str:
    """Return one line about the applied fixes and those that remain."""
    text = "fixed nothing"
    if fixed.findings:
        files = console.count(len(fixed.files), "file")
        text = f"fixed {console.count(fixed.findings, 'diagnostic')} in {files}"
    return f"{text}; {fixed.unsafe} more with --unsafe-fixes" if fixed.unsafe else text
