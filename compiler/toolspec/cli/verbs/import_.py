"""`toolspec import KIND FILE…`: converts foreign catalogs to service documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from toolspec.cli import console, options
from toolspec.cli.exit_codes import Exit
from toolspec.cli.groups import plain
from toolspec.diagnostics import Diagnostic, Severity
from toolspec.driver import imports
from toolspec.driver.imports import ImportedDocument


def register(app: typer.Typer) -> None:
    """Add the command and its kinds to the application."""
    group = plain(help="Convert a foreign catalog to commented service documents.")
    group.command("mcp-tools")(mcp_tools)
    app.add_typer(group, name="import", no_args_is_help=True)


def mcp_tools(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE", help="`tools/list` results, or files of tools.")
    ],
    *,
    to: Annotated[
        Path,
        typer.Option("--to", metavar="DIR", help="Output folder, with one document for each file."),
    ],
    name: Annotated[
        str | None,
        typer.Option(
            "--name", metavar="NAME", help="Name of the service; only with a single file."
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace existing documents.")] = False,
    form: options.FormatOption = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show each note with its location in the dump.")
    ] = False,
) -> None:
    """Import tools/list dumps, one document each, and report what was guessed, changed or dropped."""
    if name and len(files) > 1:
        console.complain("--name requires a single file")
        raise typer.Exit(Exit.USAGE)
    report_options = options.report_options_of(form, verbose=verbose)
    done = imports.import_mcp_tools(files, to, name, replace=force)
    is_brief = report_options.is_text and not verbose
    shown = [d for d in done.diagnostics if not is_brief or d.severity is not Severity.NOTE]
    diagnostics = report_options.report(tuple(shown))
    if report_options.is_text:
        _summarise(done.value, done.diagnostics if is_brief else ())
    raise typer.Exit(report_options.status(diagnostics))


def _summarise(documents: Iterable[ImportedDocument], diagnostics: Iterable[Diagnostic]) -> None:
    """Print the written documents, and the number of notes of each kind."""
    for document in documents:
        console.say(f"{document.path}: {console.count(document.tools, 'tool')}")
    notes = Counter(
        diagnostic.code for diagnostic in diagnostics if diagnostic.severity is Severity.NOTE
    )
    if notes:
        console.say("\nGuessed or changed (comments in the documents mark where; -v lists all):")
    for code, times in sorted(notes.items()):
        console.say(f"  {times:>5} × {code}")
