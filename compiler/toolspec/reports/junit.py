"""Report format `junit`: JUnit XML as read by Jenkins, GitLab and others.

A document is a suite and a diagnostic a test case in it: failed if its severity fails the command,
otherwise passed with its text as output, or skipped if it is suppressed. A clean document is one
passed case. The report contains no time and no machine name.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from toolspec.reports.frame import frame
from toolspec.reports.paint import Paint
from toolspec.reports.report import WIDTH, Format
from toolspec.sinks.terminal import printable, printable_lines
from toolspec.sinks.xml_text import Tag, xml_text

if TYPE_CHECKING:
    from toolspec.diagnostics import Diagnostic, Severity
    from toolspec.reports.report import Report

# The suite for diagnostics about the command line or the configuration.
_PROJECT = "toolspec"
_OUTCOMES = {"skipped": "skipped", "failures": "failure"}


def _render(report: Report) -> str:
    by_file: dict[str, list[Diagnostic]] = {path: [] for path in report.documents}
    for diagnostic in report.everything:
        by_file.setdefault(diagnostic.span.source.path if diagnostic.span else _PROJECT, []).append(
            diagnostic
        )
    suites = tuple(_suite(path, by_file[path], report.limit) for path in sorted(by_file))
    totals = {"name": "toolspec", **_sums(suites, "tests"), **_sums(suites, "failures")}
    return xml_text(Tag("testsuites", totals, suites))


def _sums(suites: tuple[Tag, ...], name: str) -> dict[str, str]:
    return {name: str(sum(int(suite.attributes[name]) for suite in suites))}


def _suite(path: str, diagnostics: list[Diagnostic], limit: Severity) -> Tag:
    cases = tuple(_case(path, diagnostic, limit) for diagnostic in diagnostics) or (_passed(path),)
    outcomes = Counter(child.name for case in cases for child in case.children)
    counts = {name: str(outcomes[tag]) for name, tag in _OUTCOMES.items()}
    attributes = {"name": path, "tests": str(len(cases)), **counts, "errors": "0", "time": "0"}
    return Tag("testsuite", attributes, cases)


def _passed(path: str) -> Tag:
    return Tag("testcase", {"name": "clean", "classname": path, "time": "0"})


def _case(path: str, diagnostic: Diagnostic, limit: Severity) -> Tag:
    name = f"{diagnostic.code} {_location(diagnostic)}".rstrip()
    attributes = {"name": name, "classname": path, "time": "0"}
    return Tag("testcase", attributes, (_outcome(diagnostic, limit),))


def _location(diagnostic: Diagnostic) -> str:
    """Return an identifier of the case among others of its kind, stable where possible."""
    span = diagnostic.span
    if diagnostic.subject.pointer or span is None:
        return diagnostic.subject.pointer
    return f"{span.first.line}:{span.first.column}"


def _outcome(diagnostic: Diagnostic, limit: Severity) -> Tag:
    if diagnostic.suppression:
        return Tag("skipped", text=printable_lines(diagnostic.suppression.reason))
    if diagnostic.severity.rank > limit.rank:
        return Tag("system-out", text=_text(diagnostic))
    about = {"type": str(diagnostic.severity), "message": diagnostic.message}
    return Tag("failure", about, text=_text(diagnostic))


def _text(diagnostic: Diagnostic) -> str:
    """Return a diagnostic as the terminal shows it, without colour."""
    paint = Paint(diagnostic.severity, color=False)
    framed = frame(diagnostic, paint, WIDTH)
    head = f"{diagnostic.severity}[{diagnostic.code}] {printable(diagnostic.message)}"
    note = f"{' ' * framed.margin} = help: {printable(diagnostic.help)}"
    return "\n".join([head, *framed.lines, *([note] if diagnostic.help else [])])


FORMAT = Format("junit", _render)
