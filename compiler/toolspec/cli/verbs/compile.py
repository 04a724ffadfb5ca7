"""`toolspec compile`: documents to typed Python, manifests and docs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from toolspec.cli import console, front, options
from toolspec.cli.exit_codes import Exit
from toolspec.cli.summary import summarise
from toolspec.cli.telling import Telling
from toolspec.cli.watching import keep_compiling
from toolspec.diagnostics import Checked
from toolspec.driver import build as driver
from toolspec.driver.answers import keep_answer
from toolspec.driver.build import Request
from toolspec.driver.incremental import Ways
from toolspec.driver.incremental import compile_specs as compile_by_units
from toolspec.driver.output import Takeover
from toolspec.driver.workers import Workers, find_engine
from toolspec.sinks.terminal import printable_lines

if TYPE_CHECKING:
    from toolspec.driver.build import Build
    from toolspec.driver.output import Change


OutOption = Annotated[
    str | None,
    typer.Option(
        "--out", "-o", metavar="DIR", help="The folder that is written; default `generated`."
    ),
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
WatchOption = Annotated[
    bool,
    typer.Option(
        "--watch", "-w", help="Compile again whenever a document or the configuration changes."
    ),
]
JobsOption = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        "-j",
        min=1,
        metavar="N",
        help="Processes to spread the services over; default: as many as pay.",
    ),
]
ExecutorOption = Annotated[
    str | None,
    typer.Option(
        "--executor",
        metavar="MODULE:FACTORY",
        help="A function that returns a concurrent.futures.Executor, to take the place of --jobs.",
    ),
]
NoCacheOption = Annotated[
    bool, typer.Option("--no-cache", help="Neither use nor keep what earlier compiles made.")
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
    watch: WatchOption = False,
    jobs: JobsOption = None,
    executor: ExecutorOption = None,
    no_cache: NoCacheOption = False,
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
    telling = Telling(form, fail_on, verbose)
    if watch and (check or diff):
        console.complain("--watch writes what changed; --check and --diff write nothing")
        raise typer.Exit(Exit.USAGE)
    if check or diff:
        raise typer.Exit(_compare(request, telling, fails=check))
    engine = find_engine(executor) if executor else Checked(None)
    if engine.diagnostics:
        console.write(telling.text(engine.diagnostics))
        raise typer.Exit(Exit.USAGE)
    ways = Ways(Workers(jobs, engine.value), is_cached=not no_cache)
    if watch:
        raise typer.Exit(keep_compiling(request, ways, telling))
    raise typer.Exit(_compile(request, ways, telling))


def _compile(request: Request, ways: Ways, telling: Telling) -> Exit:
    with console.progress("compiling") as step:
        checked = compile_by_units(request, ways, step)
    done, status = checked.value, telling.status(checked.diagnostics)
    findings = telling.text(checked.diagnostics)
    console.write(findings)
    if checked.ok:
        settled = ""
        if telling.form is options.Format.TEXT:
            console.write(_summary(done))
            settled = _summary(done.settled)
        if ways.is_cached and not any(
            each.code.startswith("output/") for each in checked.diagnostics
        ):
            # What is said of the output is said once: the next compile finds it mended.
            keep_answer(done, front.key(), status, findings + settled)
    return status


def _compare(request: Request, telling: Telling, *, fails: bool) -> Exit:
    """Print what a compile would change, as one diff that `patch` takes, then a line that counts."""
    with console.progress("comparing") as step:
        checked = driver.build(request, step)
    console.write(telling.text(checked.diagnostics))
    drifted = [change for change in checked.value.changes if change.is_needed]
    for change in drifted:
        console.write(printable_lines(change.diff(checked.value.out)))
    if drifted:
        console.say(_drift(drifted))
    drift = Exit.FINDINGS if drifted and fails else Exit.CLEAN
    return drift or telling.status(checked.diagnostics)


def _drift(drifted: list[Change]) -> str:
    out_of_date = f"{console.count(len(drifted), 'file')} out of date"
    if of_others := sum(change.keeps for change in drifted):
        remedy = "run `toolspec compile` with `--overwrite` or `--adopt`"
        return f"{out_of_date}, {of_others} edited or not the compiler's: {remedy}"
    return f"{out_of_date}: run `toolspec compile`"


def _summary(done: Build) -> str:
    return "".join(f"{line}\n" for line in summarise(done, console.painter(sys.stdout)))


def _takeover(*, adopt: bool, overwrite: bool) -> Takeover:
    """Return what the two switches ask for: with both, nothing is lost."""
    if overwrite:
        return Takeover.OVERWRITE
    return Takeover.ADOPT if adopt else Takeover.REFUSE
