"""`toolspec check`: everything that compiling does except writing."""

from __future__ import annotations

from typing import Annotated

import typer

from toolspec.cli import checking, console, options
from toolspec.cli.exit_codes import Exit
from toolspec.cli.report_options import FailOn
from toolspec.driver.build import Request


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
        bool, typer.Option("--fix", help="Apply the safe fixes, then report what is left.")
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
            console.complain("--unsafe-fixes goes with --fix, or with --diff")
            raise typer.Exit(Exit.USAGE)
        raise typer.Exit(checking.check(request, report_options))
    from toolspec.cli import fixing

    make = fixing.show if diff else fixing.fix
    raise typer.Exit(make(request, report_options, unsafe=unsafe_fixes))
