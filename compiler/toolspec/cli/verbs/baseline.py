"""`toolspec baseline`: records current diagnostics, so that only new ones are reported."""

from __future__ import annotations

from typing import Annotated

import typer

from toolspec.cli import console, options
from toolspec.cli.exit_codes import Exit
from toolspec.cli.report_options import ReportOptions
from toolspec.driver.build import Request, locate
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
    from toolspec.driver.lint.update_baseline import update_baseline

    if prune and paths:
        console.complain("--prune applies to the whole project: omit the paths")
        raise typer.Exit(Exit.USAGE)
    request = Request(tuple(paths or ()), has_baseline=False)
    with console.progress("checking") as step:
        updated = update_baseline(request, step, only_prunes=prune)
    report_options = ReportOptions()
    report_options.report(updated.diagnostics, root=locate(request).value.root)
    if updated.ok:
        diff, changes = updated.value, []
        changes += [f"{diff.added} new"] if diff.added else []
        changes += [f"{diff.removed} gone"] if diff.removed else []
        what = (
            f"{console.count(diff.entries, 'diagnostic')} in {NAME}"
            if diff.entries
            else "no diagnostics to record"
        )
        console.say(f"{what} ({', '.join(changes) or 'unchanged'})")
    raise typer.Exit(report_options.status(updated.diagnostics))
