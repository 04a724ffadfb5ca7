"""The Typer application: global options and commands."""

from __future__ import annotations

from typing import Annotated

import typer

from toolspec.cli.groups import Verbs, plain
from toolspec.version import __version__

# Help has a fixed width, so that it is the same everywhere; `help.txt` has a copy.
app = plain(
    cls=Verbs,
    help="Compile agent tools: one static spec becomes typed Python, manifests and docs.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "terminal_width": 80},
)


def _show_version(context: typer.Context, wanted: bool) -> None:
    if wanted:
        typer.echo(f"toolspec {__version__}")
        if context.meta.get(_VERBOSE):
            import platform

            from toolspec.shared.validator import name

            typer.echo(f"validator: {name()}")
            typer.echo(f"Python {platform.python_version()}, {platform.platform()}")
        raise typer.Exit


def _note_verbose(context: typer.Context, wanted: bool) -> None:
    context.meta[_VERBOSE] = wanted


_VERBOSE = "toolspec.verbose"


@app.callback()
def toolspec(
    version: Annotated[
        bool,
        typer.Option("--version", "-V", help="Show the version.", callback=_show_version),
    ] = False,
    verbose: Annotated[
        bool,
        typer.Option(
            "--verbose",
            help="With --version: name the validator, Python and the platform too.",
            callback=_note_verbose,
            is_eager=True,
        ),
    ] = False,
) -> None:
    """Compile agent tools: one static spec becomes typed Python, manifests and docs."""
