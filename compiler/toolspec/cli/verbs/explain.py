"""`toolspec explain CODE`: prints the manual of one diagnostic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from toolspec.changes import catalogue as changes
from toolspec.cli import console
from toolspec.cli.exit_codes import Exit
from toolspec.driver import manual
from toolspec.driver.lint import codes
from toolspec.reports.changes.manual import change_page
from toolspec.rules import engine
from toolspec.shared.spelling import nearest

if TYPE_CHECKING:
    from collections.abc import Sequence

_SHOWN = 8


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("explain")(explain)


def explain(
    code: Annotated[
        str | None, typer.Argument(metavar="CODE", help="Code of a diagnostic or a change.")
    ] = None,
) -> None:
    """Explain a diagnostic or a change: its meaning and its reason. Without a code, list diagnostics."""
    kinds = manual.kinds()
    if code is None:
        width = max(map(len, kinds))
        for listed in kinds.values():
            console.say(f"{listed.code:<{width}}  {listed.severity:<7}  {listed.message}")
        return
    installed_codes = codes.installed_rules(code)
    if code in changes.modules():
        console.say(change_page(code))
        return
    kind = engine.find(code).kind if code in installed_codes else kinds.get(code)
    if kind is None:
        hint = codes.load_problem(code) or _suggestion(
            code, (*kinds, *installed_codes, *changes.modules())
        )
        console.complain(f"unknown code `{code}`; {hint}")
        raise typer.Exit(Exit.USAGE)
    console.say(manual.page(kind))


def _suggestion(word: str, codes: Sequence[str]) -> str:
    """Return a hint: the nearest code, the codes of a family, or how to list all."""
    family = [code for code in codes if code.startswith(f"{word}/")]
    if family:
        more = f" and {len(family) - _SHOWN} more" if len(family) > _SHOWN else ""
        return f"in `{word}` there are {', '.join(f'`{code}`' for code in family[:_SHOWN])}{more}"
    slugs = {code.partition("/")[2]: code for code in codes}
    close = nearest(word, codes) or slugs.get(nearest(word, slugs), "")
    if close:
        return f"did you mean `{close}`?"
    return "codes look like `shape/unknown-key`; `toolspec explain` lists them all"
