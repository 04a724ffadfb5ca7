"""`toolspec fmt`: formats service documents."""

from __future__ import annotations

from typing import Annotated

import typer

from toolspec.cli import formatting, options


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
    raise typer.Exit(formatting.run(paths, check=check, diff=diff, form=form, verbose=verbose))
