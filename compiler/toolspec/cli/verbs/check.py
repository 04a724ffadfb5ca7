"""`toolspec check`: everything that compiling does except writing."""

from __future__ import annotations

from typing import Annotated

import typer

from toolspec.cli import checking, options
from toolspec.cli.report_options import FailOn


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
    raise typer.Exit(
        checking.run(
            paths,
            target=target,
            form=form,
            fail_on=fail_on,
            verbose=verbose,
            fix=fix,
            unsafe_fixes=unsafe_fixes,
            diff=diff,
        )
    )
