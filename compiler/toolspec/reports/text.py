"""Report format `text`: source frames with carets, help, and one line of counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from toolspec.reports.paint import Paint
from toolspec.reports.report import Format
from toolspec.sinks.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolspec.diagnostics import Diagnostic
    from toolspec.reports.report import Report

_MIN_COLUMNS: Final = 40
_MAX_FRAMES: Final = 1_000


def _render(report: Report) -> str:
    if not report.diagnostics:
        return ""
    explained: set[str] = set()
    blocks = []
    framed = _framed(report.diagnostics)
    for diagnostic in framed:
        blocks.append(
            "\n".join(_lines(diagnostic, report, is_first=diagnostic.code not in explained))
        )
        explained.add(diagnostic.code)
    left = len(report.diagnostics) - len(framed)
    if left:
        blocks.append(f"... and {left:,} more: `--format short` lists all of them")
    return "\n\n".join((*blocks, report.summary)) + "\n"


def _framed(diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Return the diagnostics to show, in order; the gravest `_MAX_FRAMES` if there are more."""
    if len(diagnostics) <= _MAX_FRAMES:
        return list(diagnostics)
    by_severity = sorted(diagnostics, key=lambda diagnostic: diagnostic.severity.rank)
    shown = set(map(id, by_severity[:_MAX_FRAMES]))
    return [diagnostic for diagnostic in diagnostics if id(diagnostic) in shown]


def _lines(diagnostic: Diagnostic, report: Report, *, is_first: bool) -> list[str]:
    """Return the lines of one diagnostic; only the first of a kind names its manual."""
    from toolspec.reports.frame import frame

    paint = Paint(diagnostic.severity, color=report.color)
    head = paint("primary", f"{diagnostic.severity}[{diagnostic.code}]")
    framed = frame(diagnostic, paint, report.width, report.shown)
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

    Only the compiler's own text is wrapped: a line must not begin with text from a document.
    """
    from textwrap import wrap

    why = diagnostic.kind.manual.why
    return wrap(
        f"why:  {why}" if why else "",
        max(columns - len(" = "), _MIN_COLUMNS),
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
