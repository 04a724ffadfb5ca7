"""`toolspec handlers`: compares the user's classes with their services."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from toolspec.cli import console, options
from toolspec.cli.exit_codes import Exit
from toolspec.cli.report_options import FailOn
from toolspec.diagnostics import Diagnostic
from toolspec.driver import user_code
from toolspec.driver.config import find_project
from toolspec.driver.rewriting import Rewrite
from toolspec.driver.user_code import HandlerSelection
from toolspec.sinks.terminal import printable

_Service = Annotated[
    str,
    typer.Argument(
        metavar="SERVICE",
        help="Service to compare; default: all with handlers.",
        show_default=False,
    ),
]
_Files = Annotated[
    list[str] | None,
    typer.Option(
        "--in",
        metavar="FILE",
        help="A file with handlers, or FILE:CLASS; default: those of the configuration.",
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("handlers")(handlers)


def handlers(
    service: _Service = "",
    *,
    files: _Files = None,
    apply: Annotated[
        bool, typer.Option("--apply", help="Add the missing methods; change nothing else.")
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Print what --apply would add, and write nothing.")
    ] = False,
    templates: options.TemplatesOption = None,
    form: options.FormatOption = None,
    fail_on: options.FailOnOption = FailOn.ERROR,
    verbose: options.VerboseOption = False,
) -> None:
    """Compare your handlers with the spec: missing and extra methods, wrong kinds and signatures.

    Your code is parsed, never imported. The configuration has its path:
    handlers = {github = "app/github.py"}, or "app/github.py:Class".
    """
    if apply and diff:
        console.complain("--diff and --apply exclude each other")
        raise typer.Exit(Exit.USAGE)
    report_options = options.report_options_of(form, fail_on, verbose=verbose)
    selection = HandlerSelection(service, files or (), Path.cwd(), templates or "")
    checked = user_code.compare_handlers(selection)
    patches = [file for file in checked.value if file.before != file.after]
    diagnostics, root = checked.diagnostics, find_project(Path.cwd()).value.root
    if diff:
        diffs = (patch.diff for patch in patches)
        diagnostics = report_options.show_diffs(diffs, diagnostics, root=root)
        raise typer.Exit(Exit.DIAGNOSTICS if patches else report_options.status(diagnostics))
    if apply and patches:
        diagnostics = (
            *_apply(patches, prints=report_options.is_text),
            *user_code.compare_handlers(selection).diagnostics,
        )
    diagnostics = report_options.report(diagnostics, root=root)
    if report_options.is_text and not diagnostics:
        console.say(f"handlers in {console.count(len(checked.value), 'file')}: clean")
    raise typer.Exit(report_options.status(diagnostics))


def _apply(patches: list[Rewrite], *, prints: bool) -> tuple[Diagnostic, ...]:
    """Write the patches, print their names with `prints`, and return errors."""
    problems = user_code.apply(patches)
    if prints and not problems:
        for patch in patches:
            console.say(f"{printable(patch.name)}: the missing methods were added")
    return problems
