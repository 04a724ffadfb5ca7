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
        help="Arguments, converted by the tool's schema; KEY:=JSON for JSON, A.B=VALUE for nested ones.",
    ),
]
Json = Annotated[
    str | None, typer.Option("--json", metavar="OBJECT", help="Arguments as a JSON object.")
]
Input = Annotated[
    str | None,
    typer.Option(
        "--input", metavar="FILE", help="Arguments from a JSON file, or from stdin with `-`."
    ),
]
Handlers = Annotated[
    list[str] | None,
    typer.Option(metavar="[SERVICE=]MODULE:OBJECT", help="Handlers; default: a mock."),
]
Upstream = Annotated[
    bool, typer.Option("--upstream", help="Send the HTTP request of the tool, without a handler.")
]
PrivateUpstream = Annotated[
    bool,
    typer.Option("--private-upstream", help="Also to private and loopback addresses."),
]
Settings = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        callback=not_empty,
        help="Settings: TOML or JSON, a table for each service.",
    ),
]
Store = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        callback=not_empty,
        help="Store of keys, journal and approvals; default: as for `serve`.",
    ),
]
Mode = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        callback=not_empty,
        help="Mode of the services, such as a sandbox; default: live.",
    ),
]
Seed = Annotated[int, typer.Option(help="Seed of the values that a mock generates.")]
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
        help="Call a tool of the MCP server that this command starts.",
    ),
]
Timeout = Annotated[
    float,
    typer.Option(min=0, metavar="SECONDS", help="Idle timeout of the server; 0 for none."),
]
Yes = Annotated[
    bool, typer.Option("--yes", "-y", help="Approve calls that change something, without asking.")
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Check the arguments and print them; nothing runs.")
]
Raw = Annotated[bool, typer.Option("--raw", help="Print a text result without quotes.")]
Form = Annotated[ErrorForm, typer.Option("--format", help="Format of an error.")]
