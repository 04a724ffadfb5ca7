"""`toolspec check`: everything that compiling does, but the writing."""

from __future__ import annotations

import typer

from toolspec.cli import console, options
from toolspec.driver import build as driver
from toolspec.driver.build import Request


def register(app: typer.Typer) -> None:
    """Add the verb to the application."""
    app.command("check")(check)


def check(
    paths: options.Paths = None,
    *,
    target: options.TargetOption = None,
    form: options.FormatOption = options.Format.TEXT,
    fail_on: options.FailOnOption = options.FailOn.ERROR,
    verbose: options.VerboseOption = False,
) -> None:
    """Check service documents: every problem of every file in one run. Writes nothing.

    Exits 0 when clean, 1 with findings at or above --fail-on, 2 for wrong usage or configuration.
    """
    with console.progress("checking") as step:
        checked = driver.check(Request(paths or (), targets=target or ()), step)
    console.report(checked.diagnostics, form, verbose=verbose)
    if form is options.Format.TEXT and not checked.diagnostics:
        tools = sum(1 for _ in checked.value.program.tools)
        services = len(checked.value.program.services)
        console.say(
            f"{console.count(tools, 'tool')} of {console.count(services, 'service')}: clean"
        )
    raise typer.Exit(options.status(checked.diagnostics, fail_on))
