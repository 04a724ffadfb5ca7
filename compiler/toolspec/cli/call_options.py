"""Options of `toolspec call`, with their help."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from toolspec.cli.options import not_empty


class ErrorForm(StrEnum):
    """Output format of a tool's error."""

    TEXT = "text"
    JSON = "json"


Name = Annotated[str, typer.Argument(metavar="NAME", help="The tool's full name, or NAME@VERSION.")]
Words = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="KEY=VALUE",
        help="Arguments, read as the tool's schema says; KEY:=JSON, and A.B=VALUE for what is nested.",
    ),
]
Json = Annotated[
    str | None, typer.Option("--json", metavar="OBJECT", help="Arguments as a JSON object.")
]
Input = Annotated[
    str | None,
    typer.Option("--input", metavar="FILE", help="The same from a file, or from stdin with `-`."),
]
Handlers = Annotated[
    list[str] | None,
    typer.Option(
        metavar="[SERVICE=]MODULE:OBJECT", help="Who does the work; without, a mock answers."
    ),
]
Settings = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        callback=not_empty,
        help="Settings: TOML or JSON, a table for each service.",
    ),
]
Mode = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        callback=not_empty,
        help="A mode of the services, such as a sandbox; left out: live.",
    ),
]
Seed = Annotated[int, typer.Option(help="For the values that a mock makes up.")]
Url = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        callback=not_empty,
        help="Call a tool of the MCP server at this address.",
    ),
]
Stdio = Annotated[
    str | None,
    typer.Option(
        metavar="COMMAND",
        callback=not_empty,
        help="Call a tool of the MCP server that this starts.",
    ),
]
Timeout = Annotated[
    float,
    typer.Option(
        min=0, metavar="SECONDS", help="How long a server may say nothing; 0 for no limit."
    ),
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Allow what changes something, unasked.")]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Check the arguments and print them; nothing runs.")
]
Raw = Annotated[bool, typer.Option("--raw", help="Print a result that is text as it is.")]
Form = Annotated[ErrorForm, typer.Option("--format", help="How an error is printed.")]
