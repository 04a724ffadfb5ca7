"""Options that several verbs share, spelled and explained once."""

from __future__ import annotations

from typing import Annotated

import typer

from toolspec.cli.telling import FailOn, Format

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
