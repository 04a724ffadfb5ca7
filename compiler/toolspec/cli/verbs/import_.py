"""`toolspec import KIND FILE…`: foreign catalogues to service documents."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from toolspec.cli import console, options
from toolspec.driver import imports


def register(app: typer.Typer) -> None:
    """Add the verb and its kinds to the application."""
    group = typer.Typer(help="Turn a foreign catalogue into commented service documents.")
    group.command("mcp-tools")(mcp_tools)
    app.add_typer(group, name="import", no_args_is_help=True)


def mcp_tools(
    files: Annotated[list[Path], typer.Argument(help="`tools/list` results, or files of tools.")],
    *,
    to: Annotated[
        Path, typer.Option("--to", help="The folder that gets a document for each file.")
    ],
    service: Annotated[
        str | None, typer.Option("--service", help="The service's name; only with a single file.")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace documents that are there.")
    ] = False,
    form: options.FormatOption = options.Format.TEXT,
) -> None:
    """Import tools/list dumps: each becomes a document, with a report of what was changed or lost."""
    if service and len(files) > 1:
        console.complain("--service names one service: give it one file")
        raise typer.Exit(2)
    done = imports.import_mcp_tools(files, to, service, replace=force)
    console.report(done.diagnostics, form)
    for written in done.value:
        console.say(f"{written.path}: {console.count(written.tools, 'tool')}")
    raise typer.Exit(options.status(done.diagnostics))
