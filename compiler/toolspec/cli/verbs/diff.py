"""`toolspec diff OLD NEW`: compares two versions of services, or of a server's list of tools."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from toolspec.changes.kind import OUTSIDE, Audience, Level
from toolspec.changes.schemas import Readers
from toolspec.cli import console, options
from toolspec.cli.exit_codes import Exit
from toolspec.cli.report_options import ReportOptions
from toolspec.reports.changes import Form

if TYPE_CHECKING:
    from toolspec.diagnostics import Checked
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
        FailOn, typer.Option("--fail-on", help="Fail for changes of this level and graver ones.")
    ] = FailOn.BREAK,
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
        Readers, typer.Option("--readers", help="Whether readers ignore members they do not know.")
    ] = Readers.TOLERANT,
    form: Annotated[Form, typer.Option("--format", help="Output format.")] = Form.TEXT,
) -> None:
    """Compare two versions: whom each change affects, and a value that proves a break.

    Exits 0 without a change at or above --fail-on, 1 with one or if a part of NEW does not compile,
    2 if a version cannot be read.
    """
    from toolspec.changes.compare import compare
    from toolspec.driver.contract.sides import paired
    from toolspec.driver.report_files import path_in_workspace
    from toolspec.reports.changes import render_changes
    from toolspec.reports.changes.comparison import Comparison

    one, other = _readings(old, new, against)
    before, after = paired(one, other)
    audiences = frozenset(audience) if audience else OUTSIDE
    changes = compare(before, after, readers=readers)
    comparison = Comparison(
        changes,
        audiences,
        Level(fail_on),
        one.side.label,
        other.side.label,
        one.shown,
        other.shown,
        other.span,
        path_in_workspace(other.root),
    )
    console.write(render_changes(form, comparison))
    fails = changes.level(audiences).rank <= Level(fail_on).rank
    if fails or after.unresolved:  # nothing is known of what does not compile now
        raise typer.Exit(Exit.DIAGNOSTICS)


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
