"""`toolspec check`: everything that compiling does, but the writing."""

from __future__ import annotations

import typer

from toolspec.cli import checking, options
from toolspec.cli.telling import FailOn
from toolspec.driver.build import Request


def register(app: typer.Typer) -> None:
    """Add the verb to the application."""
    app.command("check")(check)


def check(
    paths: options.Paths = None,
    *,
    target: options.TargetOption = None,
    form: options.FormatOption = None,
    fail_on: options.FailOnOption = FailOn.ERROR,
    verbose: options.VerboseOption = False,
) -> None:
    """Check service documents: every problem of every file in one run. Writes nothing.

    Exits 0 when clean, 1 with findings at or above --fail-on, 2 for wrong usage or configuration.
    """
    request = Request(tuple(paths or ()), targets=tuple(target or ()))
    raise typer.Exit(checking.check(request, options.telling_of(form, fail_on, verbose=verbose)))
