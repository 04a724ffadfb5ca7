"""The Typer application: the one option of the whole command, and the verbs."""

from __future__ import annotations

from typing import Annotated

import typer

from toolspec.cli.groups import Verbs, plain
from toolspec.version import __version__

# As wide as every terminal is: help is the same text everywhere, and `help.txt` holds it.
app = plain(
    cls=Verbs,
    help="Compile agent tools: one static spec becomes typed Python, manifests and docs.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "terminal_width": 80},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"toolspec {__version__}")
        raise typer.Exit


@app.callback()
def toolspec(
    version: Annotated[
        bool,
        typer.Option(
            "--version", "-V", help="Show the version.", callback=_show_version, is_eager=True
        ),
    ] = False,
) -> None:
    """Compile agent tools: one static spec becomes typed Python, manifests and docs."""
