"""`toolspec compile`: documents to typed Python, manifests and docs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from toolspec.cli import console, options
from toolspec.cli.exit_codes import Exit
from toolspec.cli.summary import summarise
from toolspec.diagnostics import has_errors
from toolspec.driver import output
from toolspec.driver.build import Request, build

if TYPE_CHECKING:
    from toolspec.driver.build import Build
    from toolspec.driver.output import Change


def register(app: typer.Typer) -> None:
    """Add the verb to the application."""
    app.command("compile")(compile_specs)


def compile_specs(
    paths: options.Paths = None,
    *,
    out: Annotated[
        str | None,
        typer.Option("--out", "-o", help="The folder that is written; default `generated`."),
    ] = None,
    target: options.TargetOption = None,
    check: Annotated[
        bool,
        typer.Option(
            "--check", help="Write nothing; print what would change, and fail if anything would."
        ),
    ] = False,
    form: options.FormatOption = options.Format.TEXT,
    fail_on: options.FailOnOption = options.FailOn.ERROR,
    verbose: options.VerboseOption = False,
) -> None:
    """Compile service documents into typed Python, a registry, manifests and docs.

    With no configuration, reads `specs/` and writes `generated/`. Nothing is written after an error.
    """
    request = Request(paths or (), out, target or ())
    with console.progress("compiling") as step:
        checked = build(request, step)
    found = checked.diagnostics
    changes: tuple[Change, ...] = ()
    if not has_errors(found):
        changes = output.compare(checked.value.out, checked.value.emissions)
        if not check:
            found += output.write(checked.value.out, changes)
    console.report(found, form, verbose=verbose)
    if has_errors(found):
        raise typer.Exit(options.status(found, fail_on))
    if check:
        raise typer.Exit(_show_drift(changes) or options.status(found, fail_on))
    if form is options.Format.TEXT:
        _show_summary(checked.value, changes)
    raise typer.Exit(options.status(found, fail_on))


def _show_drift(changes: tuple[Change, ...]) -> Exit:
    drifted = [change for change in changes if change.is_needed]
    for change in drifted:
        console.say(change.diff())
    if drifted:
        console.say(f"{console.count(len(drifted), 'file')} out of date: run `toolspec compile`")
    return Exit.FINDINGS if drifted else Exit.CLEAN


def _show_summary(build: Build, changes: tuple[Change, ...]) -> None:
    paint = console.painter(sys.stdout)
    for line in summarise(build, changes, paint):
        console.say(line)
