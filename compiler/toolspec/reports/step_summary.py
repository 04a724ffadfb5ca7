"""Summary page of a GitHub workflow step: diagnostics as one Markdown table, errors first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.sinks.markdown import cell, code

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolspec.diagnostics import Diagnostic

_GRAVITY = tuple(Severity)


def step_summary(diagnostics: Iterable[Diagnostic]) -> str:
    """Return the table of all diagnostics: GitHub shows only the first few as annotations."""
    standing = (each for each in diagnostics if each.suppression is None)
    gravest = sorted(standing, key=lambda each: (_GRAVITY.index(each.severity), each.order))
    lines = ["### toolspec", ""]
    if not gravest:
        return "\n".join([*lines, "No diagnostics.", ""])
    lines += ["| Severity | Code | Place | Finding |", "| --- | --- | --- | --- |"]
    return "\n".join([*lines, *map(_row, gravest), ""])


def _row(diagnostic: Diagnostic) -> str:
    span = diagnostic.span
    location = code(f"{span.source.path}:{span.first.line}") if span else ""
    finding = cell(
        f"{diagnostic.message}; {diagnostic.help}" if diagnostic.help else diagnostic.message
    )
    return f"| {diagnostic.severity} | {code(diagnostic.code)} | {location} | {finding} |"
