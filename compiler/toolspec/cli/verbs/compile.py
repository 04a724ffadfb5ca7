"""`toolspec compile`: compiles documents to typed Python, manifests and docs."""

from __future__ import annotations

from typing import Annotated

import typer

from toolspec.cli import compiling, console, options
from toolspec.cli.compile_loop import keep_compiling
from toolspec.cli.exit_codes import Exit
from toolspec.cli.report_options import FailOn
from toolspec.diagnostics import Checked
from toolspec.driver.build import CompileOptions, Request
from toolspec.driver.workers import Workers, find_engine
from toolspec.driver.write_options import OverwritePolicy

OutOption = Annotated[
    str | None,
    typer.Option("--out", "-o", metavar="DIR", help="Output folder; default: `generated`."),
]
CheckOption = Annotated[
    bool,
    typer.Option(
        "--check", help="Write nothing; print what would change, and fail if anything would."
    ),
]
DiffOption = Annotated[
    bool,
    typer.Option("--diff", help="Like --check, but exit 0 if something would change."),
]
WatchOption = Annotated[
    bool,
    typer.Option(
        "--watch", "-w", help="Compile again when a document or the configuration changes."
    ),
]
JobsOption = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        "-j",
        min=1,
        metavar="N",
        help="Number of processes; default: chosen by the amount of work.",
    ),
]
ExecutorOption = Annotated[
    str | None,
    typer.Option(
        "--executor",
        metavar="MODULE:FACTORY",
        help="A function that returns a concurrent.futures.Executor, used instead of --jobs.",
    ),
]
NoCacheOption = Annotated[
    bool, typer.Option("--no-cache", help="Neither read nor write the cache.")
]
AdoptOption = Annotated[
    bool,
    typer.Option(
        "--adopt", help="Replace edited and foreign files at the paths of generated ones."
    ),
]
OverwriteOption = Annotated[
    bool,
    typer.Option("--overwrite", help="Like --adopt, and keep each replaced file as `NAME.orig`."),
]
PruneOption = Annotated[
    bool,
    typer.Option(
        "--prune", help="Remove the files of targets that the configuration does not name."
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
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
    prune: PruneOption = False,
    templates: options.TemplatesOption = None,
    form: options.FormatOption = None,
    fail_on: options.FailOnOption = FailOn.ERROR,
    verbose: options.VerboseOption = False,
) -> None:
    """Compile service documents into typed Python, a registry, manifests and docs.

    With no configuration, reads `specs/` and writes `generated/`. Nothing is written after an error.
    `toolspec.lock.json` lists what was written: only that is replaced or removed by the next run.
    """
    overwrite_policy = _overwrite_policy(adopt=adopt, overwrite=overwrite)
    request = Request(
        tuple(paths or ()),
        out,
        tuple(target or ()),
        overwrite_policy,
        prune,
        templates=templates or "",
    )
    report_options = options.report_options_of(form, fail_on, verbose=verbose)
    if watch and (check or diff):
        console.complain("--watch cannot be combined with --check or --diff")
        raise typer.Exit(Exit.USAGE)
    engine = find_engine(executor) if executor else Checked(None)
    if engine.diagnostics:
        report_options.report(engine.diagnostics)
        raise typer.Exit(Exit.USAGE)
    workers = Workers(jobs, engine.value, executor or "")
    compile_options = CompileOptions(workers, is_cached=not no_cache)
    if check or diff:
        raise typer.Exit(compiling.compare(request, compile_options, report_options, fails=check))
    if watch:
        raise typer.Exit(keep_compiling(request, compile_options, report_options))
    raise typer.Exit(compiling.compile_specs(request, compile_options, report_options))


def _overwrite_policy(*, adopt: bool, overwrite: bool) -> OverwritePolicy:
    """Return the policy of the two options: with both, files are adopted and nothing is lost."""
    if overwrite:
        return OverwritePolicy.OVERWRITE
    return OverwritePolicy.ADOPT if adopt else OverwritePolicy.REFUSE
