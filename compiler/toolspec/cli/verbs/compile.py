"""`toolspec compile`: compiles documents to typed Python, manifests and docs."""

from __future__ import annotations

from typing import Annotated

import typer

from toolspec.cli import compiling, options
from toolspec.cli.report_options import FailOn

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
    raise typer.Exit(
        compiling.run(
            paths,
            out=out,
            target=target,
            check=check,
            diff=diff,
            watch=watch,
            jobs=jobs,
            executor=executor,
            no_cache=no_cache,
            adopt=adopt,
            overwrite=overwrite,
            prune=prune,
            templates=templates,
            form=form,
            fail_on=fail_on,
            verbose=verbose,
        )
    )
