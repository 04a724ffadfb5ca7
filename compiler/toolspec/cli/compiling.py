"""Implementation of `toolspec compile`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from toolspec.cli import console, fast_path
from toolspec.cli.exit_codes import Exit
from toolspec.cli.report_options import FailOn, FormatError, report_options
from toolspec.cli.summary import summarise
from toolspec.diagnostics import Checked
from toolspec.driver import build
from toolspec.driver.build import CompileOptions, Request
from toolspec.driver.incremental.store_last_compile import store_output
from toolspec.driver.workers import Workers, find_engine
from toolspec.driver.write_options import OverwritePolicy
from toolspec.sinks.terminal import printable_lines

if TYPE_CHECKING:
    from toolspec.cli.report_options import ReportOptions
    from toolspec.driver.output import Change


def run(  # noqa: PLR0913 - the options of the command
    paths: list[str] | None = None,
    *,
    out: str | None = None,
    target: list[str] | None = None,
    check: bool = False,
    diff: bool = False,
    watch: bool = False,
    jobs: int | None = None,
    executor: str | None = None,
    no_cache: bool = False,
    adopt: bool = False,
    overwrite: bool = False,
    prune: bool = False,
    templates: str | None = None,
    form: list[str] | None = None,
    fail_on: FailOn = FailOn.ERROR,
    verbose: bool = False,
) -> Exit:
    """Run the command with its options, and return the exit status."""
    request = Request(
        tuple(paths or ()),
        out,
        tuple(target or ()),
        _overwrite_policy(adopt=adopt, overwrite=overwrite),
        prune,
        templates=templates or "",
    )
    try:
        reporting = report_options(form, fail_on, verbose=verbose)
    except FormatError as error:
        return console.usage_error(str(error))
    if watch and (check or diff):
        return console.usage_error("--watch cannot be combined with --check or --diff")
    engine = find_engine(executor) if executor else Checked(None)
    if engine.diagnostics:
        reporting.report(engine.diagnostics)
        return Exit.USAGE
    workers = Workers(jobs, engine.value, executor or "")
    compile_options = CompileOptions(workers, is_cached=not no_cache)
    if check or diff:
        return compare(request, compile_options, reporting, fails=check)
    if watch:
        from toolspec.cli.compile_loop import keep_compiling

        return keep_compiling(request, compile_options, reporting)
    return compile_specs(request, compile_options, reporting)


def _overwrite_policy(*, adopt: bool, overwrite: bool) -> OverwritePolicy:
    """Return the policy of the two options: with both, files are adopted and nothing is lost."""
    if overwrite:
        return OverwritePolicy.OVERWRITE
    return OverwritePolicy.ADOPT if adopt else OverwritePolicy.REFUSE


def compile_specs(
    request: Request, compile_options: CompileOptions, report_options: ReportOptions
) -> Exit:
    """Compile a request, print the report, and return the exit status."""
    with console.progress("compiling") as step:
        checked = build.compile_specs(request, step, compile_options)
    built = checked.value
    diagnostics = report_options.save(checked.diagnostics, built)
    report, status = report_options.text(diagnostics, built), report_options.status(diagnostics)
    console.write(report)
    if checked.ok:
        next_summary = ""
        if report_options.is_text:
            summary, next_summary = summarise(built, console.painter(sys.stdout))
            console.write(summary)
        if (
            compile_options.is_cached
            and not report_options.files
            and not any(
                diagnostic.kind.is_about_run or diagnostic.code.startswith("output/")
                for diagnostic in checked.diagnostics
            )
        ):
            # Diagnostics about the output are printed once: the next compile finds it fixed.
            store_output(built, fast_path.key(), status, report + next_summary)
    return status


def compare(
    request: Request, compile_options: CompileOptions, report_options: ReportOptions, *, fails: bool
) -> Exit:
    """Print the changes of a compile as a diff for `patch`, then a summary line.

    If stdout has a machine-readable document, both go to stderr, with `fails` only the line.
    """
    with console.progress("comparing") as step:
        checked = build.build(request, step, compile_options)
    diagnostics = report_options.report(checked.diagnostics, checked.value)
    outdated = [change for change in checked.value.changes if change.is_needed]
    if report_options.is_open or not fails:
        stream = sys.stdout if report_options.is_open else sys.stderr
        for change in outdated:
            stream.write(printable_lines(change.diff(checked.value.out)))
    if outdated:
        say = console.say if report_options.is_open else console.complain
        say(_outdated(outdated))
    drift = Exit.DIAGNOSTICS if outdated and fails else Exit.CLEAN
    return report_options.status(diagnostics) or drift


def _outdated(changes: list[Change]) -> str:
    out_of_date = f"{console.count(len(changes), 'file')} out of date"
    if foreign := sum(change.keeps for change in changes):
        remedy = "run `toolspec compile` with `--overwrite` or `--adopt`"
        return f"{out_of_date}, {foreign} edited or not the compiler's: {remedy}"
    return f"{out_of_date}: run `toolspec compile`"
