"""`toolspec check`: everything that compiling does except writing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from toolspec.cli import checking, console, options
from toolspec.cli.exit_codes import Exit
from toolspec.cli.report_options import FailOn
from toolspec.driver.build import Request

if TYPE_CHECKING:
    from toolspec.cli.report_options import ReportOptions
    from toolspec.driver.fixing import FixResult


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("check")(check)


def check(
    paths: options.Paths = None,
    *,
    target: options.TargetOption = None,
    form: options.FormatOption = None,
    fail_on: options.FailOnOption = FailOn.ERROR,
    verbose: options.VerboseOption = False,
    fix: Annotated[
        bool, typer.Option("--fix", help="Apply the safe fixes, then report the rest.")
    ] = False,
    unsafe_fixes: Annotated[
        bool,
        typer.Option("--unsafe-fixes", help="With --fix or --diff, also apply the other fixes."),
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Print what --fix would change, and write nothing.")
    ] = False,
) -> None:
    """Check service documents. Writes only with --fix.

    Exits 0 when clean, 1 with diagnostics at or above --fail-on, 2 for wrong usage or configuration.
    """
    request = Request(tuple(paths or ()), targets=tuple(target or ()))
    report_options = options.report_options_of(form, fail_on, verbose=verbose)
    if not (fix or diff):
        if unsafe_fixes:
            console.complain("--unsafe-fixes requires --fix or --diff")
            raise typer.Exit(Exit.USAGE)
        raise typer.Exit(checking.check(request, report_options))
    raise typer.Exit(_fix(request, report_options, unsafe=unsafe_fixes, writes=not diff))


def _fix(request: Request, report_options: ReportOptions, *, unsafe: bool, writes: bool) -> Exit:
    """Apply the fixes, or print them as a diff; report the remaining diagnostics."""
    from toolspec.driver import fixing

    with console.progress("fixing") as step:
        result = fixing.fix(request, unsafe=unsafe, write=writes, progress=step)
    diagnostics = result.checked.diagnostics
    if result.files and not writes:
        console.show_diffs(file.diff for file in result.files)
        return report_options.status(diagnostics) or Exit.DIAGNOSTICS
    diagnostics = report_options.report(diagnostics, result.checked.value)
    if writes and report_options.is_text:
        console.say(_summary(result))
    return report_options.status(diagnostics)


def _summary(result: FixResult) -> str:
    """Return one line about the applied fixes and those that remain."""
    text = "fixed nothing"
    if result.fixed:
        files = console.count(len(result.files), "file")
        text = f"fixed {console.count(result.fixed, 'diagnostic')} in {files}"
    return f"{text}; {result.unsafe} more with --unsafe-fixes" if result.unsafe else text
