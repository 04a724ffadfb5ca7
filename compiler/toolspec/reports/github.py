"""Report format `github`: workflow commands, shown as annotations of lines, and the step summary."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from toolspec.diagnostics import Severity
from toolspec.reports.report import Format
from toolspec.sinks.markdown import cell, code
from toolspec.sinks.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from toolspec.diagnostics import Diagnostic
    from toolspec.reports.report import Report

_COMMANDS: Final = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.NOTE: "notice",
}


def _render(report: Report) -> str:
    """Return a command a diagnostic, errors first: GitHub shows only the first few of each run."""
    ordered = sorted(report.diagnostics, key=lambda diagnostic: diagnostic.severity.rank)
    return "".join(f"{_command(diagnostic, report.shown)}\n" for diagnostic in ordered)


def _command(diagnostic: Diagnostic, shown: Callable[[str], str]) -> str:
    properties = {**_location(diagnostic, shown), "title": diagnostic.code}
    joined = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    text = printable(diagnostic.message)
    if diagnostic.help:
        text += f"\n{printable(diagnostic.help)}"
    return f"::{_COMMANDS[diagnostic.severity]} {joined}::{_data(text)}"


def _location(diagnostic: Diagnostic, shown: Callable[[str], str]) -> dict[str, str | int]:
    """Return file, lines and columns; GitHub accepts columns only within one line."""
    span = diagnostic.span
    if span is None:
        return {}
    first, last = span.first, span.last
    location: dict[str, str | int] = {"file": shown(span.source.path), "line": first.line}
    if first.line == last.line:
        return {**location, "col": first.column, "endColumn": last.column}
    return {**location, "endLine": last.line}


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(printable(text)).replace(":", "%3A").replace(",", "%2C")


def step_summary(diagnostics: Iterable[Diagnostic], shown: Callable[[str], str] = str) -> str:
    """Return the summary page of a workflow step: a table of all diagnostics, errors first.

    GitHub shows only the first few diagnostics as annotations. `shown` is that of a report.
    """
    reported = [diagnostic for diagnostic in diagnostics if diagnostic.suppression is None]
    if not reported:
        return "### toolspec\n\nNo diagnostics.\n"
    ordered = sorted(reported, key=lambda item: (item.severity.rank, item.order))
    return "\n".join(
        [
            "### toolspec",
            "",
            "| Severity | Code | Location | Diagnostic |",
            "| --- | --- | --- | --- |",
            *(_row(diagnostic, shown) for diagnostic in ordered),
            "",
        ]
    )


def _row(diagnostic: Diagnostic, shown: Callable[[str], str]) -> str:
    span = diagnostic.span
    location = code(f"{shown(span.source.path)}:{span.first.line}") if span else ""
    text = f"{diagnostic.message}; {diagnostic.help}" if diagnostic.help else diagnostic.message
    return f"| {diagnostic.severity} | {code(diagnostic.code)} | {location} | {cell(text)} |"


FORMAT = Format("github", _render)
