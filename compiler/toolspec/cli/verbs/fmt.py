"""`toolspec fmt`: formats service documents."""

from __future__ import annotations

from typing import Annotated

import typer

from toolspec.cli import console, options
from toolspec.cli.exit_codes import Exit
from toolspec.driver import formatting
from toolspec.driver.build import Request


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("fmt")(fmt)


def fmt(
    paths: options.Paths = None,
    *,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit 1 if a file is not formatted.")
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Write nothing; print what would change.")
    ] = False,
    form: options.FormatOption = None,
    verbose: options.VerboseOption = False,
) -> None:
    """Format service documents: keys in canonical order, two spaces; comments and scalars stay.

    A document with an error is reported and not changed. Exits 1 then, and if --check or --diff
    would change a file.
    """
    report_options = options.report_options_of(form, verbose=verbose)
    with console.progress("formatting") as step:
        done = formatting.format_documents(
            Request(tuple(paths or ())), write=not (check or diff), progress=step
        )
    diagnostics = done.diagnostics
    if diff and done.files:
        console.show_diffs(file.diff for file in done.files)
        raise typer.Exit(report_options.status(diagnostics) or Exit.DIAGNOSTICS)
    if check:
        diagnostics = (*diagnostics, *map(formatting.unformatted, done.files))
    diagnostics = report_options.report(diagnostics)
    if report_options.is_text and not check and done.files:
        console.say(f"{console.count(len(done.files), 'file')} formatted")
    elif report_options.is_text and not diagnostics:
        console.say(f"{console.count(done.count, 'file')} checked, nothing to format")
    raise typer.Exit(report_options.status(diagnostics))
