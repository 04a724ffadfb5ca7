"""Report format `text`: source frames with carets, help, and one line of counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from toolspec.diagnostics import Severity
from toolspec.reports.paint import Paint
from toolspec.reports.report import Format
from toolspec.sinks.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolspec.diagnostics import Diagnostic
    from toolspec.reports.report import Report

_LEAST: Final = 40
_MOST: Final = 1_000
_WORST_FIRST: Final = (Severity.ERROR, Severity.WARNING, Severity.NOTE)


def _render(report: Report) -> str:
    if not report.diagnostics:
        return ""
    explained: set[str] = set()
    blocks = []
    framed = _framed(report.diagnostics)
    for each in framed:
        blocks.append("\n".join(_finding(each, report, is_first=each.code not in explained)))
        explained.add(each.code)
    left = len(report.diagnostics) - len(framed)
    if left:
        blocks.append(f"... and {left:,} more: `--format short` lists all of them")
    return "\n\n".join((*blocks, report.summary)) + "\n"


def _framed(diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Return the shown diagnostics in their order; the gravest of them if there are too many."""
    if len(diagnostics) <= _MOST:
        return list(diagnostics)
    by_severity = sorted(diagnostics, key=lambda each: _WORST_FIRST.index(each.severity))
    shown = set(map(id, by_severity[:_MOST]))
    return [each for each in diagnostics if id(each) in shown]


def _finding(diagnostic: Diagnostic, report: Report, *, is_first: bool) -> list[str]:
    """Return the lines of one diagnostic; only the first of a kind names its manual."""
    from toolspec.reports.frame import frame

    paint = Paint(diagnostic.severity, color=report.color)
    head = paint("primary", f"{diagnostic.severity}[{diagnostic.code}]")
    framed = frame(diagnostic, paint, report.width)
    sign = f"{' ' * framed.margin} {paint('margin', '=')}"
    notes = list(_notes(diagnostic, is_first=is_first))
    why = _why(diagnostic, report.width - framed.margin) if report.verbose else []
    return [
        f"{head} {paint('message', printable(diagnostic.message))}",
        *framed.lines,
        *(f"{sign} {line}" for line in why[:1]),
        *(f"{' ' * framed.margin}   {line}" for line in why[1:]),
        *(f"{sign} {printable(note)}" for note in notes),
    ]


def _why(diagnostic: Diagnostic, columns: int) -> list[str]:
    """Return the kind's reason in lines.

    Only the compiler's own text may be wrapped: text quoted from a document could begin a line.
    """
    from textwrap import wrap

    why = diagnostic.kind.manual.why
    return wrap(
        f"why:  {why}" if why else "",
        max(columns - len(" = "), _LEAST),
        subsequent_indent=" " * len("why:  "),
    )


def _notes(diagnostic: Diagnostic, *, is_first: bool) -> Iterator[str]:
    if diagnostic.help:
        yield f"help: {diagnostic.help}"
    if diagnostic.fix:
        yield f"fix:  {diagnostic.fix.title}{' (safe)' if diagnostic.fix.safe else ''}"
    if is_first:
        yield f"more: `toolspec explain {diagnostic.code}`"


FORMAT = Format("text", _render)
