"""Options that several verbs share, spelled and explained once."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from toolspec.cli.exit_codes import Exit
from toolspec.diagnostics import Severity

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolspec.diagnostics import Diagnostic


class Format(StrEnum):
    """How findings are printed."""

    TEXT = "text"
    SHORT = "short"
    JSON = "json"
    GITHUB = "github"


class FailOn(StrEnum):
    """The weight from which a finding fails the command."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


Paths = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="PATH",
        help="Files, folders or globs; without any, `specs` of the configuration.",
    ),
]
FormatOption = Annotated[Format, typer.Option("--format", help="How findings are printed.")]
FailOnOption = Annotated[
    FailOn, typer.Option("--fail-on", help="The weight from which a finding fails the command.")
]
TargetOption = Annotated[
    list[str] | None,
    typer.Option("--target", "-t", metavar="NAME", help="A target to build; repeat for several."),
]
VerboseOption = Annotated[bool, typer.Option("--verbose", "-v", help="Say why with each finding.")]

_WEIGHT = {Severity.NOTE: 0, Severity.WARNING: 1, Severity.ERROR: 2}


def status(diagnostics: Iterable[Diagnostic], fail_on: FailOn = FailOn.ERROR) -> Exit:
    """Return the exit status that some findings ask for.

    Usage and configuration (`config/…`, paths that lead nowhere, a folder in use) are the caller's
    mistakes: 2.
    """
    diagnostics = tuple(diagnostics)
    errors = [each for each in diagnostics if each.severity is Severity.ERROR]
    if any(
        each.code.startswith(("config/", "project/no-specs", "project/missing-", "output/busy"))
        for each in errors
    ):
        return Exit.USAGE
    limit = _WEIGHT[Severity(fail_on.value)]
    return Exit.FINDINGS if any(_WEIGHT[d.severity] >= limit for d in diagnostics) else Exit.CLEAN
