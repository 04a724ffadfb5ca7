"""The Typer application: every verb of `cli/verbs/`, found by name and sorted."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from typing import Annotated

import typer

from toolspec.cli import verbs
from toolspec.version import __version__

app = typer.Typer(
    help="Compile agent tools: one static spec becomes typed Python, manifests and docs.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
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


for _found in sorted(pkgutil.iter_modules(verbs.__path__), key=lambda each: each.name):
    import_module(f"{verbs.__name__}.{_found.name}").register(app)
