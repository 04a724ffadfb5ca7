"""`toolspec baseline`: records current diagnostics, so that only new ones are reported."""

from __future__ import annotations

from typing import Annotated

import typer

from toolspec.cli import console, options
from toolspec.cli.exit_codes import Exit
from toolspec.cli.report_options import ReportOptions
from toolspec.driver.build import Request
from toolspec.driver.lint.baseline import NAME


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("baseline")(baseline)


def baseline(
    paths: options.Paths = None,
    *,
    prune: Annotated[
        bool, typer.Option("--prune", help="Only remove entries that are no longer reported.")
    ] = False,
) -> None:
    """Record today's diagnostics, so that only new ones are reported. With PATHs, add theirs.

    Errors that cannot be suppressed are reported; nothing is recorded until they are fixed.
    """
    from toolspec.driver.lint.baseline_diff import update_baseline

    if prune and paths:
        console.complain("--prune looks at the whole project: leave out the paths")
        raise typer.Exit(Exit.USAGE)
    request = Request(tuple(paths or ()), has_baseline=False)
    with console.progress("checking") as step:
        drawn = update_baseline(request, step, only_prunes=prune)
    report_options = ReportOptions()
    report_options.report(drawn.diagnostics)
    if drawn.ok:
        held, change = drawn.value, []
        change += [f"{held.new} new"] if held.new else []
        change += [f"{held.gone} gone"] if held.gone else []
        what = (
            f"{console.count(held.held, 'diagnostic')} in {NAME}"
            if held.held
            else "no diagnostics to record"
        )
        console.say(f"{what} ({', '.join(change) or 'as before'})")
    raise typer.Exit(report_options.status(drawn.diagnostics))
