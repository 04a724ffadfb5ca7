"""Reference page of all diagnostics by family, as in `toolspec explain`."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from toolspec.driver import manual
from toolspec.reference.anchors import anchor, family_of
from toolspec.sinks.markdown import code, fenced, prose
from toolspec.sinks.markdown_layout import blocks, table

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from toolspec.diagnostics import DiagnosticKind


def diagnostics_page(kinds: Iterable[DiagnosticKind], rules: Collection[str]) -> str:
    """Return the page of some kinds, sorted by code; rules link to their own page."""
    families = [
        (name, list(each)) for name, each in groupby(kinds, key=lambda kind: family_of(kind.code))
    ]
    page = blocks(
        "# Diagnostics",
        "Every diagnostic of the compiler, by family. An `error` stops the build. Words "
        "in braces are placeholders. [Rules](rules.md) have a page of their own.",
        *(_family(name, each, rules) for name, each in families),
    )
    return f"{page}\n"


def _family(name: str, kinds: list[DiagnosticKind], rules: Collection[str]) -> str:
    linted = [kind for kind in kinds if kind.code in rules]
    return blocks(
        f"## {name}",
        *(_section(kind) for kind in kinds if kind.code not in rules),
        table(("Rule", "Severity", "Message"), map(_row, linted)),
    )


def _row(kind: DiagnosticKind) -> tuple[str, ...]:
    link = f"[{code(kind.code)}](rules.md#{anchor(kind.code)})"
    return link, str(kind.severity), prose(kind.message)


def _section(kind: DiagnosticKind) -> str:
    advice = manual.advice(kind)
    return blocks(
        f"### {code(kind.code)}",
        f"**{kind.severity}**: {prose(kind.message)}",
        prose(kind.manual.why),
        f"What to do: {prose(advice)}." if advice else "",
        fenced(kind.manual.example.strip("\n")) if kind.manual.example else "",
    )
