"""`toolspec ci`: every check of a project in one run, with one report and one exit status."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from toolspec.cli import console, options
from toolspec.cli.change_selection import IgnoreOption, SelectOption, ToolOption, selection_of
from toolspec.cli.exit_codes import Exit
from toolspec.cli.report_options import FailOn
from toolspec.driver.build import Request

if TYPE_CHECKING:
    from toolspec.diagnostics import Diagnostic
    from toolspec.driver.contract.ci import CiResult
    from toolspec.reports.changes.comparison import Comparison


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("ci")(ci)


def ci(
    *,
    against: Annotated[
        str,
        typer.Option(
            "--against",
            metavar="REF",
            help="A git revision: show what this branch accepts beyond its contract.",
            show_default=False,
        ),
    ] = "",
    reviewed: Annotated[
        bool,
        typer.Option(
            "--reviewed", help="What this branch accepts was approved outside: do not fail for it."
        ),
    ] = False,
    comment: Annotated[
        str | None,
        typer.Option(
            "--comment",
            metavar="PATH",
            help="Write a comment for the pull request, as Markdown.",
            callback=options.not_empty,
        ),
    ] = None,
    select: SelectOption = None,
    ignore: IgnoreOption = None,
    tool: ToolOption = None,
    today: options.TodayOption = None,
    form: options.FormatOption = None,
    fail_on: options.FailOnOption = FailOn.ERROR,
    verbose: options.VerboseOption = False,
) -> None:
    """Check the specs, the generated files, the handlers, and the tools against their contract.

    Exits 0 when all is well, 1 with diagnostics at or above --fail-on, 2 for wrong usage or
    configuration.
    """
    from toolspec.driver.contract.ci import CiRequest, run_ci
    from toolspec.driver.report_files import write_report
    from toolspec.reports.changes.ci_comment import ci_comment
    from toolspec.reports.changes.diagnostics import diagnostics as of_changes

    reporting = options.report_options_of(form, fail_on, verbose=verbose)
    selection = selection_of(select, ignore, tool)
    request = Request(today=options.day_of(today))
    with console.progress("checking") as step:
        step("")
        checked = run_ci(CiRequest(request, against, selection, is_reviewed=reviewed))
    result = checked.value
    comparison = _comparison(result)
    diagnostics: tuple[Diagnostic, ...] = (
        *checked.diagnostics,
        *of_changes(comparison, comparison.limit),
    )
    if comment is not None:
        text = ci_comment(comparison, checked.diagnostics, result.acceptances)
        diagnostics += write_report(comment, text)
    diagnostics = reporting.report(diagnostics, result.build)
    if reporting.is_text and all(each.suppression for each in diagnostics):
        console.say("all checks passed")
    raise typer.Exit(reporting.status(diagnostics) or Exit.CLEAN)


def _comparison(result: CiResult) -> Comparison:
    from toolspec.driver.contract.policy import ContractPolicy
    from toolspec.driver.report_files import path_in_workspace
    from toolspec.reports.changes.comparison import Comparison

    project = result.build.project
    if result.locations is None:
        return Comparison(result.judgement.changes)
    policy = project.config.policy or ContractPolicy()
    return Comparison(
        result.judgement.changes,
        policy.audiences,
        policy.fail_on,
        old="the contract",
        new="the specs",
        span=result.locations.find,
        base=path_in_workspace(project.root),
        suppressed=result.judgement.suppressed,
        advice=result.judgement.advice,
        diagnostics=result.judgement.diagnostics,
    )
