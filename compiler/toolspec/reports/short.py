"""Report format `short`: one line a diagnostic, for editors and grep."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.reports.report import Format
from toolspec.sinks.terminal import printable, printable_path

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolspec.diagnostics import Diagnostic
    from toolspec.reports.report import Report


def _render(report: Report) -> str:
    return "".join(f"{_line(diagnostic, report.shown)}\n" for diagnostic in report.diagnostics)


def _line(diagnostic: Diagnostic, shown: Callable[[str], str]) -> str:
    location = ""
    if diagnostic.span:
        first = diagnostic.span.first
        path = printable_path(shown(diagnostic.span.source.path))
        location = f"{path}:{first.line}:{first.column}: "
    text = f"{diagnostic.severity}[{diagnostic.code}] {printable(diagnostic.message)}"
    return f"{location}{text}" + (f" ({printable(diagnostic.help)})" if diagnostic.help else "")


FORMAT = Format("short", _render)
