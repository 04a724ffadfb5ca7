"""`toolspec init`: creates a project or a service's handlers, never over an existing file."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from toolspec.cli import console
from toolspec.cli.exit_codes import Exit
from toolspec.cli.report_options import status
from toolspec.driver import new_files, review_files, user_code


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("init")(init)


def init(
    folder: Annotated[
        str, typer.Argument(metavar="DIR|handlers", help="The project's folder, or `handlers`.")
    ] = ".",
    service: Annotated[
        str,
        typer.Argument(metavar="SERVICE", help="With `handlers`: the service to write them for."),
    ] = "",
    *,
    to: Annotated[
        str,
        typer.Option("--to", metavar="FILE", help="With `handlers SERVICE`: the file to write."),
    ] = "",
) -> None:
    """Start a project: a documented service, its handlers, a test that passes, configuration.

    toolspec init handlers SERVICE --to FILE writes the handlers of a service,
    one typed method for each tool. An existing file is never overwritten; .gitattributes and
    CODEOWNERS get a line each, by which reviews fold generated files and ask for the contract's
    owners.
    """
    if folder == "handlers":
        if not service or not to:
            console.complain(
                "write `toolspec init handlers SERVICE --to FILE`; a folder is `./handlers`"
            )
            raise typer.Exit(Exit.USAGE)
        raise typer.Exit(_handlers(service, to))
    if service or to:
        console.complain(f"`{service or to}` is only valid after `toolspec init handlers`")
        raise typer.Exit(Exit.USAGE)
    raise typer.Exit(_project(Path(folder)))


def _project(folder: Path) -> Exit:
    done = new_files.start_project(Path.cwd() / folder, Path.cwd())
    console.report(done.diagnostics)
    if done.ok:
        for name in done.value:
            console.say(f"wrote {(folder / name).as_posix()}")
        if line := review_files.owners_hint((Path.cwd() / folder).resolve()):
            console.say(f"add to the CODEOWNERS of the repository: {line}")
        move = "" if folder == Path() else f"cd {shlex.quote(folder.as_posix())} && "
        console.say(f"\nnext: {move}toolspec compile && python -m unittest")
    return status(done.diagnostics)


def _handlers(service: str, to: str) -> Exit:
    done = user_code.write_new(service, to, Path.cwd())
    console.report(done.diagnostics)
    if done.ok:
        console.say(f"wrote {to}")
        if done.value:
            console.say(f"for `toolspec handlers`, {done.value}")
    return status(done.diagnostics)
