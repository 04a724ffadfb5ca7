"""Options that several commands share."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import typer

from toolspec.cli import console
from toolspec.cli.exit_codes import Exit
from toolspec.cli.report_options import FailOn, Format, FormatError, ReportOptions, report_options
from toolspec.driver.clock import today

Paths = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="PATH",
        help="Files, folders or globs; default: `specs` of the configuration.",
    ),
]
FORMAT = "FORMAT[=PATH]"
FormatOption = Annotated[
    list[str] | None,
    typer.Option(
        "--format",
        metavar=FORMAT,
        help=f"Format of the report: {', '.join(Format)}; default: text. Repeat it with paths"
        " for more reports: --format sarif=out.sarif --format github.",
    ),
]
FailOnOption = Annotated[
    FailOn, typer.Option("--fail-on", help="Lowest severity that fails the command.")
]
TargetOption = Annotated[
    list[str] | None,
    typer.Option("--target", "-t", metavar="NAME", help="A target to build; repeat for several."),
]
TodayOption = Annotated[
    datetime | None,
    typer.Option(
        "--today",
        formats=["%Y-%m-%d"],
        metavar="DATE",
        help="The day that counts, such as 2027-01-31; default: today.",
        show_default=False,
    ),
]
VerboseOption = Annotated[bool, typer.Option("--verbose", "-v", help="Explain each diagnostic.")]


def not_empty(value: str | list[str] | None) -> str | list[str] | None:
    """Return the value of an option; reject an empty one, such as from an unset variable.

    An empty value could otherwise mean a default, such as a mock or every address.
    """
    values = value if isinstance(value, list) else [value]
    if any(text is not None and not text.strip() for text in values):
        empty = "the value is empty"
        raise typer.BadParameter(empty)
    return value


def day_of(stated: datetime | None) -> str:
    """Return a day as `2027-01-31`; the current one for None."""
    return today() if stated is None else stated.date().isoformat()


TemplatesOption = Annotated[
    str | None,
    typer.Option(
        "--templates",
        metavar="DIR",
        help="A folder of templates that replace built-in ones of the same name.",
        callback=not_empty,
    ),
]


def report_options_of(
    formats: list[str] | None, fail_on: FailOn = FailOn.ERROR, *, verbose: bool = False
) -> ReportOptions:
    """Return the report options; exits with an error if they conflict."""
    try:
        return report_options(formats, fail_on, verbose=verbose)
    except FormatError as error:
        console.complain(str(error))
        raise typer.Exit(Exit.USAGE) from None
