"""`toolspec docs`: compiles the site and opens it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from toolspec.cli import console
from toolspec.cli.exit_codes import Exit
from toolspec.cli.verbs.compile import OutOption
from toolspec.sinks.terminal import printable


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("docs")(docs)


def docs(
    *,
    out: OutOption = None,
    watch: Annotated[
        bool,
        typer.Option("--watch", "-w", help="Compile again after each change, and reload the page."),
    ] = False,
    no_open: Annotated[
        bool, typer.Option("--no-open", help="Print the address, and open no browser.")
    ] = False,
    port: Annotated[
        int | None,
        typer.Option("--port", min=1, max=65535, metavar="N", help="With --watch: the port."),
    ] = None,
) -> None:
    """Compile the site and open it in a browser.

    With --watch a server on this machine serves it until Ctrl-C.
    """
    from toolspec.cli import compiling
    from toolspec.driver.config import find_project

    project = find_project(Path.cwd()).value
    folder = Path.cwd() / out if out else project.root / project.config.out
    if not watch:
        status = compiling.run(out=out, target=["site"])
        if status is Exit.CLEAN:
            _show((folder / "site" / "index.html").as_uri(), is_opened=not no_open)
        raise typer.Exit(status)
    from toolspec.driver.preview import Preview

    try:
        preview = Preview(folder, port or 0)
    except OSError as error:
        raise typer.Exit(console.usage_error(f"cannot serve the site: {error.strerror}")) from None
    preview.start()
    _show(preview.address, is_opened=not no_open)
    raise typer.Exit(compiling.run(out=out, target=["site"], watch=True))


def _show(address: str, *, is_opened: bool) -> None:
    """Print the address of the site, and open it."""
    console.say(printable(f"docs: {address}"))
    if is_opened:
        import webbrowser

        webbrowser.open(address)
