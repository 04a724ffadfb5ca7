"""`toolspec handlers`: compares the user's classes with their services."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from toolspec.cli import console, diffs, options
from toolspec.cli.exit_codes import Exit
from toolspec.cli.report_options import FailOn
from toolspec.diagnostics import Diagnostic
from toolspec.driver import user_code
from toolspec.driver.rewriting import Rewrite
from toolspec.driver.user_code import Question
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
    form: options.FormatOption = None,
    fail_on: options.FailOnOption = FailOn.ERROR,
    verbose: options.VerboseOption = False,
) -> None:
    """Compare your handlers with the spec: missing, superfluous, of a wrong kind or signature.

    Your code is read, never imported. The configuration says where it is:
    handlers = {github = "app/github.py"}, or "app/github.py:Class".
    """
    if apply and diff:
        console.complain("--diff writes nothing and --apply does: choose one")
        raise typer.Exit(Exit.USAGE)
    report_options = options.report_options_of(form, fail_on, verbose=verbose)
    question = Question(service, files or (), Path.cwd())
    looked = user_code.look(question)
    patches = [each for each in looked.value if each.before != each.after]
    if diff:
        diffs.show(each.diff for each in patches)
        raise typer.Exit(Exit.FINDINGS if patches else report_options.status(looked.diagnostics))
    found = looked.diagnostics
    if apply and patches:
        found = (
            *_apply(patches, is_told=report_options.is_text),
            *user_code.look(question).diagnostics,
        )
    found = report_options.report(found)
    if report_options.is_text and not found:
        console.say(f"handlers in {console.count(len(looked.value), 'file')}: clean")
    raise typer.Exit(report_options.status(found))


def _apply(patches: list[Rewrite], *, is_told: bool) -> tuple[Diagnostic, ...]:
    """Write the patches, print which if `is_told`, and return errors."""
    problems = user_code.apply(patches)
    if is_told and not problems:
        for each in patches:
            console.say(f"{printable(each.name)}: the missing methods were added")
    return problems
