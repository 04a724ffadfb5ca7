"""`toolspec diff OLD NEW`: compares two versions of services, or of a server's list of tools."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from toolspec.changes.kind import OUTSIDE, Audience, Level
from toolspec.changes.schemas import Readers
from toolspec.cli import console
from toolspec.cli.exit_codes import Exit
from toolspec.cli.report_options import ReportOptions

if TYPE_CHECKING:
    from toolspec.changes.side import Side


class Form(StrEnum):
    """Output format of the changes."""

    TEXT = "text"
    SHORT = "short"


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
        Path,
        typer.Argument(metavar="OLD", help="A project, a folder of specs, or a tools/list dump."),
    ],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="The version to compare with it.")],
    *,
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
    """Compare two versions: whom each change affects, and a value that proves a break."""
    from toolspec.changes.compare import compare
    from toolspec.reports.changes import changes_text

    sides = [_side(path) for path in (old, new)]
    audiences = frozenset(audience) if audience else OUTSIDE
    changes = compare(*sides, readers=readers)
    console.write(changes_text(changes, audiences, is_short=form is Form.SHORT))
    if changes.level(audiences).rank <= Level(fail_on).rank:
        raise typer.Exit(Exit.DIAGNOSTICS)


def _side(path: Path) -> Side:
    """Return the side at a path; reports why and exits if there is none."""
    from toolspec.driver.contract.sides import read_side

    read = read_side(path)
    if read.value is None:
        report_options = ReportOptions()
        report_options.report(read.diagnostics)
        if not read.diagnostics:
            console.complain(f"no tools in {path}")
        raise typer.Exit(Exit.USAGE)
    return read.value
