"""`toolspec changes`: lists the kinds of changes, with the effect of each on its audiences."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from toolspec.changes import catalogue
from toolspec.changes.kind import Audience, Level
from toolspec.cli import console
from toolspec.cli.exit_codes import Exit
from toolspec.driver.contract.policy import change_suggestion
from toolspec.sinks.terminal import printable, printable_json

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolspec.changes.catalogue import Entry


class Form(StrEnum):
    """Output format of the kinds."""

    TEXT = "text"
    JSON = "json"


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("changes")(changes)


def changes(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="CODE|FAMILY", help="Kinds, families or patterns; default: all."),
    ] = None,
    *,
    form: Annotated[Form, typer.Option("--format", help="Output format.")] = Form.TEXT,
) -> None:
    """List the kinds of changes that `toolspec diff` reports, with whom each affects."""
    entries = [catalogue.entry(code) for code in _codes(words or ())]
    if form is Form.JSON:
        content = {"version": 1, "changes": [_described(entry) for entry in entries]}
        console.say(printable_json(content))
        return
    rows = [(entry.kind.code, *_levels(entry)) for entry in entries]
    heads = ("", *Audience)
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    for row, summary in ((heads, ""), *zip(rows, (each.summary for each in entries), strict=True)):
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        console.say(printable("  ".join((*cells, summary))).rstrip())
    console.say(f"\n{console.count(len(entries), 'kind')}")


def _codes(words: Iterable[str]) -> tuple[str, ...]:
    """Return the codes that some words select, all without words; exits for an unknown word."""
    wanted: set[str] = set()
    for word in words:
        selected = catalogue.matching(word)
        if not selected:
            console.complain(f"no kind or family of changes `{word}`; {change_suggestion(word)}")
            raise typer.Exit(Exit.USAGE)
        wanted.update(selected)
    return tuple(code for code in catalogue.modules() if code in wanted or not wanted)


def _levels(entry: Entry) -> list[str]:
    """Return the effect on each audience, `-` for none."""
    levels = (entry.kind.levels[audience] for audience in Audience)
    return ["-" if level is Level.NONE else str(level) for level in levels]


def _described(entry: Entry) -> dict[str, object]:
    kind = entry.kind
    return {
        "code": kind.code,
        "summary": entry.summary,
        "levels": {str(audience): str(level) for audience, level in kind.levels.items()},
        "mirror": kind.mirror,
        "isGuess": kind.is_guess,
    }
