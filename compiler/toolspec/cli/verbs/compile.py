"""`toolspec compile`: documents to typed Python, manifests and docs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from toolspec.cli import console, front, options
from toolspec.cli.exit_codes import Exit
from toolspec.cli.summary import summarise
from toolspec.diagnostics import has_errors
from toolspec.driver import build as driver
from toolspec.driver.answers import keep_answer
from toolspec.driver.build import Request
from toolspec.driver.output import Takeover
from toolspec.sinks.terminal import printable_lines

if TYPE_CHECKING:
    from toolspec.driver.build import Build
    from toolspec.driver.output import Change


OutOption = Annotated[
    str | None,
    typer.Option("--out", "-o", help="The folder that is written; default `generated`."),
]
CheckOption = Annotated[
    bool,
    typer.Option(
        "--check", help="Write nothing; print what would change, and fail if anything would."
    ),
]
DiffOption = Annotated[
    bool,
    typer.Option("--diff", help="Write nothing; print what would change. Drift is no failure."),
]
AdoptOption = Annotated[
    bool,
    typer.Option("--adopt", help="Replace edited and foreign files where generated ones belong."),
]
OverwriteOption = Annotated[
    bool, typer.Option("--overwrite", help="The same, with each of them kept as `NAME.orig`.")
]


def register(app: typer.Typer) -> None:
    """Add the verb to the application."""
    app.command("compile")(compile_specs)


def compile_specs(
    paths: options.Paths = None,
    *,
    out: OutOption = None,
    target: options.TargetOption = None,
    check: CheckOption = False,
    diff: DiffOption = False,
    adopt: AdoptOption = False,
    overwrite: OverwriteOption = False,
    form: options.FormatOption = options.Format.TEXT,
    fail_on: options.FailOnOption = options.FailOn.ERROR,
    verbose: options.VerboseOption = False,
) -> None:
    """Compile service documents into typed Python, a registry, manifests and docs.

    With no configuration, reads `specs/` and writes `generated/`. Nothing is written after an error.
    `toolspec.lock.json` lists what was written: only that is replaced or removed by the next run.
    """
    request = Request(paths or (), out, target or (), _takeover(adopt=adopt, overwrite=overwrite))
    is_dry = check or diff
    with console.progress("compiling") as step:
        checked = (driver.build if is_dry else driver.compile_specs)(request, step)
    done, found = checked.value, checked.diagnostics
    status = options.status(found, fail_on)
    findings = console.findings(found, form, verbose=verbose)
    console.write(findings)
    if has_errors(found):
        raise typer.Exit(status)
    if is_dry:
        drift = _show_drift(done.changes)
        raise typer.Exit((drift if check else Exit.CLEAN) or status)
    if form is options.Format.TEXT:
        console.write(_summary(done))
        findings += _summary(done.settled)
    keep_answer(done, front.key(), status, findings)
    raise typer.Exit(status)


def _summary(done: Build) -> str:
    return "".join(f"{line}\n" for line in summarise(done, console.painter(sys.stdout)))


def _takeover(*, adopt: bool, overwrite: bool) -> Takeover:
    """Return what the two switches ask for: with both, nothing is lost."""
    if overwrite:
        return Takeover.OVERWRITE
    return Takeover.ADOPT if adopt else Takeover.REFUSE


def _show_drift(changes: tuple[Change, ...]) -> Exit:
    """Print what would change as one diff that `patch` takes, then a line that counts."""
    drifted = [change for change in changes if change.is_needed]
    for change in drifted:
        console.write(printable_lines(change.diff()))
    of_others = sum(change.keeps for change in drifted)
    if of_others:
        files = f"{console.count(len(drifted), 'file')} out of date, {of_others}"
        remedy = "run `toolspec compile` with `--overwrite` or `--adopt`"
        console.say(f"{files} edited or not the compiler's: {remedy}")
    elif drifted:
        console.say(f"{console.count(len(drifted), 'file')} out of date: run `toolspec compile`")
    return Exit.FINDINGS if drifted else Exit.CLEAN
