"""`toolspec handlers`: the user's classes against their services."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from toolspec.cli import console, options
from toolspec.cli.exit_codes import Exit
from toolspec.diagnostics import has_errors
from toolspec.driver import user_code
from toolspec.driver.user_code import Question, Written
from toolspec.reports.terminal import printable


def register(app: typer.Typer) -> None:
    """Add the verb to the application."""
    app.command("handlers")(handlers)


def handlers(
    service: Annotated[
        str,
        typer.Argument(help="A service; without one, all that have handlers.", show_default=False),
    ] = "",
    *,
    files: Annotated[
        list[str] | None,
        typer.Option(
            "--in", help="A file with handlers, or FILE:CLASS; else those of the configuration."
        ),
    ] = None,
    apply: Annotated[
        bool, typer.Option("--apply", help="Add the missing methods; all else stays as it is.")
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Print what --apply would add, and write nothing.")
    ] = False,
    form: options.FormatOption = options.Format.TEXT,
    fail_on: options.FailOnOption = options.FailOn.ERROR,
    verbose: options.VerboseOption = False,
) -> None:
    """Compare your handlers with the spec: missing, superfluous, of a wrong kind or signature.

    Your code is read, never imported. The configuration says where it is:
    handlers = {github = "app/github.py"}, or "app/github.py:Class".
    """
    if apply and diff:
        console.complain("--diff writes nothing and --apply does: choose one")
        raise typer.Exit(Exit.USAGE)
    question = Question(service, files or (), Path.cwd())
    looked = user_code.look(question)
    patches = [each for each in looked.value if each.before != each.after]
    if diff:
        raise typer.Exit(_show(patches) or options.status(looked.diagnostics, fail_on))
    found = looked.diagnostics
    if apply and patches:
        problems = user_code.apply(patches)
        if form is options.Format.TEXT and not has_errors(problems):
            _tell(patches)
        found = (*problems, *user_code.look(question).diagnostics)
    console.report(found, form, verbose=verbose)
    if form is options.Format.TEXT and not found:
        console.say(f"handlers in {console.count(len(looked.value), 'file')}: clean")
    raise typer.Exit(options.status(found, fail_on))


def _show(patches: list[Written]) -> Exit:
    for each in patches:
        console.say(each.diff.rstrip("\n"))
    return Exit.FINDINGS if patches else Exit.CLEAN


def _tell(patches: list[Written]) -> None:
    for each in patches:
        console.say(f"{printable(each.name)}: the missing methods were added")
