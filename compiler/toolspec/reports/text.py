"""The format for people: a frame of source with carets, what to do, and one line of counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.reports.frame import frame
from toolspec.reports.paint import Paint
from toolspec.reports.report import Format
from toolspec.reports.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.reports.report import Report


def _render(report: Report) -> str:
    if not report.diagnostics:
        return ""
    explained: set[str] = set()
    blocks = []
    for each in report.diagnostics:
        blocks.append("\n".join(_finding(each, report, is_first=each.code not in explained)))
        explained.add(each.code)
    return "\n\n".join((*blocks, report.summary)) + "\n"


def _finding(diagnostic: Diagnostic, report: Report, *, is_first: bool) -> list[str]:
    """Return the lines of one finding; only the first of a kind names its manual."""
    paint = Paint(diagnostic.severity, color=report.color)
    head = paint("primary", f"{diagnostic.severity}[{diagnostic.code}]")
    framed = frame(diagnostic, paint, report.width)
    sign = f"{' ' * framed.margin} {paint('margin', '=')}"
    notes = _notes(diagnostic, verbose=report.verbose, is_first=is_first)
    return [
        f"{head} {paint('message', printable(diagnostic.message))}",
        *framed.lines,
        *(f"{sign} {printable(note)}" for note in notes),
    ]


def _notes(diagnostic: Diagnostic, *, verbose: bool, is_first: bool) -> Iterator[str]:
    if verbose and diagnostic.kind.why:
        yield f"why:  {diagnostic.kind.why}"
    if diagnostic.help:
        yield f"help: {diagnostic.help}"
    if diagnostic.fix:
        yield f"fix:  {diagnostic.fix.title}{' (safe)' if diagnostic.fix.safe else ''}"
    if is_first:
        yield f"more: `toolspec explain {diagnostic.code}`"


FORMAT = Format("text", _render)
