"""`toolspec explain CODE`: the manual of one finding."""

from __future__ import annotations

from typing import Annotated

import typer

from toolspec.cli import console
from toolspec.cli.exit_codes import Exit
from toolspec.diagnostics import did_you_mean
from toolspec.driver import manual
from toolspec.driver.linting import codes
from toolspec.rules import engine


def register(app: typer.Typer) -> None:
    """Add the verb to the application."""
    app.command("explain")(explain)


def explain(
    code: Annotated[
        str | None, typer.Argument(metavar="CODE", help="A code as findings show it.")
    ] = None,
) -> None:
    """Explain a finding: what it means, why it is one, and what to do. Without a code, list them all."""
    kinds = manual.kinds()
    if code is None:
        width = max(map(len, kinds))
        for kind in kinds.values():
            console.say(f"{kind.code:<{width}}  {kind.severity:<7}  {kind.message}")
        return
    brought = codes.brought(code)
    known = engine.find(code).kind if code in brought else kinds.get(code)
    if known is None:
        hint = codes.trouble(code) or did_you_mean(code, (*kinds, *brought))
        console.complain(f"unknown code `{code}`; {hint}")
        raise typer.Exit(Exit.USAGE)
    console.say(manual.page(known))
