"""`toolspec diff OLD NEW`: compares two versions of services, or of a server's list of tools."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from toolspec.changes.kind import Audience, Level
from toolspec.changes.schemas import Readers
from toolspec.cli import console, options
from toolspec.cli.change_selection import IgnoreOption, SelectOption, ToolOption, selection_of
from toolspec.cli.exit_codes import Exit
from toolspec.cli.report_options import ReportOptions
from toolspec.reports.changes import Form
from toolspec.shared.records import replace

if TYPE_CHECKING:
    from toolspec.diagnostics import Checked
    from toolspec.driver.contract.policy import ContractPolicy
    from toolspec.driver.contract.sides import Reading


class FailOn(StrEnum):
    """The level from which a change fails the command."""

    BREAK = "break"
    RISK = "risk"
    NOTE = "note"


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("diff")(diff)


def diff(
    old: Annotated[
        str | None,
        typer.Argument(
            metavar="OLD",
            help="A project, a folder of specs, a tools/list dump, or a git revision.",
            show_default=False,
        ),
    ] = None,
    new: Annotated[
        str | None,
        typer.Argument(metavar="NEW", help="The version to compare with it.", show_default=False),
    ] = None,
    *,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="REF",
            help="Compare a git revision with the current folder, or the folder that is named.",
            callback=options.not_empty,
        ),
    ] = None,
    fail_on: Annotated[
        FailOn | None,
        typer.Option(
            "--fail-on",
            help="Fail for changes of this level and graver ones; default: break.",
            show_default=False,
        ),
    ] = None,
    audience: Annotated[
        list[Audience] | None,
        typer.Option(
            "--audience",
            metavar="READER",
            help="callers, handlers, models, reviewers or operators: who counts. Repeatable; "
            "default: all but handlers.",
        ),
    ] = None,
    readers: Annotated[
        Readers | None,
        typer.Option(
            "--readers",
            help="Whether readers ignore members they do not know; default: tolerant.",
            show_default=False,
        ),
    ] = None,
    select: SelectOption = None,
    ignore: IgnoreOption = None,
    tool: ToolOption = None,
    today: options.TodayOption = None,
    form: Annotated[Form, typer.Option("--format", help="Output format.")] = Form.TEXT,
) -> None:
    """Compare two versions: whom each change affects, and a value that proves a break.

    Settings of [contract] in the configuration hold where no option is given. Exits 0 without a
    change at or above --fail-on, 1 with one or if a part of NEW does not compile, 2 if a version
    cannot be read.
    """
    from toolspec.diagnostics import has_errors
    from toolspec.driver.contract.policy import judge
    from toolspec.driver.contract.sides import paired
    from toolspec.driver.report_files import path_in_workspace
    from toolspec.reports.changes import render_changes
    from toolspec.reports.changes.comparison import Comparison

    selection = selection_of(select, ignore, tool)
    one, other = _readings(old, new, against)
    versions = paired(one, other)
    policy = _policy(other)
    policy = replace(
        policy,
        fail_on=Level(fail_on) if fail_on else policy.fail_on,
        audiences=frozenset(audience) if audience else policy.audiences,
        readers=readers or policy.readers,
    )
    judgement = judge(versions, policy, options.day_of(today), selection)
    comparison = Comparison(
        judgement.changes,
        policy.audiences,
        policy.fail_on,
        one.side.label,
        other.side.label,
        one.shown,
        other.shown,
        other.span,
        path_in_workspace(other.root),
        judgement.suppressed,
        judgement.advice,
        judgement.diagnostics,
    )
    console.write(render_changes(form, comparison))
    fails = judgement.changes.level(policy.audiences).rank <= policy.fail_on.rank
    # Nothing is known of what does not compile now.
    if fails or versions.new.unresolved or has_errors(judgement.diagnostics):
        raise typer.Exit(Exit.DIAGNOSTICS)


def _policy(new: Reading) -> ContractPolicy:
    """Return the policy that counts; reports mistakes of its configuration and exits."""
    from toolspec.driver.contract.sides import policy_of

    policy = policy_of(new)
    if not policy.ok:
        ReportOptions().report(policy.diagnostics)
        raise typer.Exit(Exit.USAGE)
    return policy.value


def _readings(old: str | None, new: str | None, against: str | None) -> tuple[Reading, Reading]:
    """Return both versions; reports why and exits if one cannot be read."""
    from toolspec.driver.contract.sides import read_changed, read_version

    if against is not None:
        if new is not None:
            problem = "--against takes one version: `toolspec diff --against REF [NEW]`"
            raise typer.Exit(console.usage_error(problem))
        folder = Path(old or ".")
        if not folder.is_dir():
            problem = f"--against compares a folder, and `{folder}` is none"
            raise typer.Exit(console.usage_error(problem))
        before, after = read_changed(against, folder)
        return _read(against, before), _read(str(folder), after)
    if old is None or new is None:
        problem = "name two versions, or one revision: `toolspec diff --against REF`"
        raise typer.Exit(console.usage_error(problem))
    return _read(old, read_version(old)), _read(new, read_version(new))


def _read(name: str, checked: Checked[Reading | None]) -> Reading:
    if checked.value is None:
        ReportOptions().report(checked.diagnostics)
        console.complain(f"nothing to compare in {name}")
        raise typer.Exit(Exit.USAGE)
    return checked.value
