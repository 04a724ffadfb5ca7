"""Reference page of the kinds of changes, and of changes that the language cannot say."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from toolspec.changes.kind import Audience, Level
from toolspec.reference.unsupported_changes import UNSUPPORTED
from toolspec.reports.changes.manual import seen_in
from toolspec.sinks.markdown import blocks, code, prose, section, table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolspec.changes.catalogue import Entry


def changes_page(entries: Sequence[Entry]) -> str:
    """Return the page of kinds sorted by code: a table of each family."""
    families = groupby(entries, key=lambda entry: entry.kind.family)
    page = blocks(
        "# Changes",
        "Every kind of change that `toolspec diff`, `toolspec ci` and the guards report, with its effect on "
        "each audience, and the sides that show it. `toolspec explain CODE` prints its manual with an "
        "example of both versions.",
        *(_table(family, group) for family, group in families),
        section("## What the language cannot say", _ABOUT, _unsupported()),
    )
    return f"{page}\n"


_ABOUT = "These changes of tool contracts have no kind, since no field of a document says what they change."


def _table(family: str, entries: Iterable[Entry]) -> str:
    rows = (
        (
            code(entry.kind.code),
            prose(entry.summary),
            *(_level(entry.kind.levels[audience]) for audience in Audience),
            "guess" if entry.kind.is_guess else "",
            seen_in(entry.kind.code),
        )
        for entry in entries
    )
    return blocks(
        f"## {family}", table(("Code", "Reports", *map(str, Audience), "", "Seen in"), rows)
    )


def _level(level: Level) -> str:
    return "" if level is Level.NONE else str(level)


def _unsupported() -> str:
    rows = ((each.id, prose(each.change), prose(each.missing)) for each in UNSUPPORTED)
    return table(("Id", "Change", "Missing"), rows)
