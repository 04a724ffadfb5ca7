"""Report format `github`: workflow commands, shown as annotations of the changed lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from toolspec.diagnostics import Severity
from toolspec.reports.report import Format
from toolspec.sinks.terminal import printable

if TYPE_CHECKING:
    from toolspec.diagnostics import Diagnostic
    from toolspec.reports.report import Report

_COMMANDS: Final = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.NOTE: "notice",
}
_GRAVITY: Final = tuple(_COMMANDS)


def _render(report: Report) -> str:
    """Return a command a diagnostic, errors first: GitHub shows only the first few of each run."""
    gravest = sorted(report.diagnostics, key=lambda each: _GRAVITY.index(each.severity))
    return "".join(f"{_command(each, report.base)}\n" for each in gravest)


def _command(diagnostic: Diagnostic, base: str) -> str:
    properties = {**_location(diagnostic, base), "title": diagnostic.code}
    joined = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    text = printable(diagnostic.message)
    if diagnostic.help:
        text += f"\n{printable(diagnostic.help)}"
    return f"::{_COMMANDS[diagnostic.severity]} {joined}::{_data(text)}"


def _location(diagnostic: Diagnostic, base: str) -> dict[str, str | int]:
    """Return file, lines and columns; GitHub accepts columns only within one line."""
    span = diagnostic.span
    if span is None:
        return {}
    first, last = span.first, span.last
    location: dict[str, str | int] = {"file": base + span.source.path, "line": first.line}
    if first.line == last.line:
        return {**location, "col": first.column, "endColumn": last.column}
    return {**location, "endLine": last.line}


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(printable(text)).replace(":", "%3A").replace(",", "%2C")


FORMAT = Format("github", _render)
