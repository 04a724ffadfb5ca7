"""Report format `json`: one document, described by `schemas/diagnostics.v1.schema.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.reports.report import Format
from toolspec.sinks.terminal import printable_json

if TYPE_CHECKING:
    from toolspec.diagnostics import Diagnostic, Fix, Suppression
    from toolspec.reports.report import Report
    from toolspec.source import Span
    from toolspec.syntax.nodes import JsonObject

VERSION = 1


def _render(report: Report) -> str:
    counts: JsonObject = {str(severity): number for severity, number in report.counts.items()}
    document: JsonObject = {
        "version": VERSION,
        "diagnostics": [_diagnostic(diagnostic) for diagnostic in report.everything],
        "counts": {**counts, "files": report.files, "suppressed": len(report.suppressed)},
    }
    return printable_json(document) + "\n"


def _diagnostic(diagnostic: Diagnostic) -> JsonObject:
    spans = []
    if diagnostic.span:
        spans.append({**_span(diagnostic.span), "label": diagnostic.label, "primary": True})
    spans += (
        {**_span(label.span), "label": label.text, "primary": False} for label in diagnostic.labels
    )
    return {
        "code": diagnostic.code,
        "severity": str(diagnostic.severity),
        "message": diagnostic.message,
        "help": diagnostic.help,
        "spans": [*spans],
        "service": diagnostic.subject.service,
        "tool": diagnostic.subject.tool,
        "pointer": diagnostic.subject.pointer,
        "fingerprint": diagnostic.fingerprint,
        "fix": _fix(diagnostic.fix) if diagnostic.fix else None,
        "suppression": _suppression(diagnostic.suppression) if diagnostic.suppression else None,
    }


def _span(span: Span) -> JsonObject:
    return {
        "file": span.source.path,
        "start": _position(span, span.start),
        "end": _position(span, span.end),
    }


def _position(span: Span, offset: int) -> JsonObject:
    position = span.source.position(offset)
    return {"line": position.line, "column": position.column, "offset": offset}


def _fix(fix: Fix) -> JsonObject:
    edits = [{**_span(edit.span), "newText": edit.new_text} for edit in fix.edits]
    return {"title": fix.title, "safe": fix.safe, "edits": [*edits]}


def _suppression(suppression: Suppression) -> JsonObject:
    return {
        "source": str(suppression.source),
        "reason": suppression.reason,
        "until": suppression.until or None,
        "span": _span(suppression.span) if suppression.span else None,
    }


FORMAT = Format("json", _render)
