"""Converts diagnostics and suppressions to JSON and back; spans refer to files by path."""

from __future__ import annotations

from dataclasses import astuple
from typing import TYPE_CHECKING

from toolspec.diagnostics import (
    Diagnostic,
    DiagnosticKind,
    Fix,
    Label,
    Severity,
    Subject,
    SuppressionSource,
    TextEdit,
)
from toolspec.frontend.suppressions.suppression import DocumentSuppression, SuppressedCode
from toolspec.source import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from toolspec.source import SourceFile

    # The result of `json.loads`, written by this module beside a checksum.
    Kept = Any
    Sources = Callable[[str], SourceFile]


def diagnostics_to_json(diagnostics: Iterable[Diagnostic]) -> list[Kept]:
    """Return diagnostics as JSON."""
    return [
        {
            "kind": list(astuple(each.kind)),
            "message": each.message,
            "span": _span_to_json(each.span),
            "label": each.label,
            "labels": [[_span_to_json(label.span), label.text] for label in each.labels],
            "help": each.help,
            "subject": list(astuple(each.subject)),
            "fix": _fix_to_json(each.fix),
            "parts": diagnostics_to_json(each.parts),
            "values": list(each.values),
        }
        for each in diagnostics
    ]


def diagnostics_from_json(kept: Iterable[Kept], sources: Sources) -> tuple[Diagnostic, ...]:
    """Return diagnostics from JSON; `sources` resolves the files of spans."""
    return tuple(
        Diagnostic(
            kind=_kind(*each["kind"]),
            message=each["message"],
            span=_optional_span(each["span"], sources),
            label=each["label"],
            labels=tuple(Label(_span(span, sources), text) for span, text in each["labels"]),
            help=each["help"],
            subject=Subject(*each["subject"]),
            fix=_fix(each["fix"], sources),
            parts=diagnostics_from_json(each["parts"], sources),
            values=tuple(each["values"]),
        )
        for each in kept
    )


def files_in(diagnostics: Iterable[Diagnostic]) -> dict[str, SourceFile]:
    """Return the files of diagnostics by path."""
    spans: list[Span] = []
    for each in (alone for one in diagnostics for alone in (one, *one.parts)):
        spans += [each.span] if each.span else []
        spans += [label.span for label in each.labels]
        spans += [edit.span for edit in each.fix.edits] if each.fix else []
    files: dict[str, SourceFile] = {}
    while spans:
        span = spans.pop()
        files[span.source.path] = span.source
        spans += span.via
    return files


def _kind(code: str, severity: str, *others: Any) -> DiagnosticKind:
    return DiagnosticKind(code, Severity(severity), *others)


def _span_to_json(span: Span | None) -> Kept:
    """Return a span as JSON."""
    return span and [
        span.source.path,
        span.start,
        span.end,
        [_span_to_json(each) for each in span.via],
    ]


def _optional_span(kept: Kept, sources: Sources) -> Span | None:
    """Return a span from JSON, or None."""
    return None if kept is None else _span(kept, sources)


def _span(kept: Kept, sources: Sources) -> Span:
    """Return a span from JSON."""
    path, start, end, via = kept
    return Span(sources(path), start, end, tuple(_span(each, sources) for each in via))


def _fix_to_json(fix: Fix | None) -> Kept:
    return fix and [fix.title, [[_span_to_json(e.span), e.new_text] for e in fix.edits], fix.safe]


def _fix(kept: Kept, sources: Sources) -> Fix | None:
    if kept is None:
        return None
    title, edits, safe = kept
    return Fix(title, tuple(TextEdit(_span(span, sources), text) for span, text in edits), safe)


def suppressions_to_json(suppressions: Iterable[DocumentSuppression]) -> list[Kept]:
    """Return suppressions as JSON."""
    return [
        {
            "source": str(each.source),
            "named": [[named.code, _span_to_json(named.span)] for named in each.named],
            "reason": each.reason,
            "until": each.until,
            "span": _span_to_json(each.span),
            "covers": _span_to_json(each.covers),
            "removal": [[_span_to_json(edit.span), edit.new_text] for edit in each.removal],
        }
        for each in suppressions
    ]


def suppressions_from_json(
    kept: Iterable[Kept], sources: Sources
) -> tuple[DocumentSuppression, ...]:
    """Return suppressions from JSON; `sources` resolves the files of spans."""
    return tuple(
        DocumentSuppression(
            source=SuppressionSource(each["source"]),
            named=tuple(SuppressedCode(code, _span(at, sources)) for code, at in each["named"]),
            reason=each["reason"],
            until=each["until"],
            span=_span(each["span"], sources),
            covers=_optional_span(each["covers"], sources),
            removal=tuple(TextEdit(_span(at, sources), text) for at, text in each["removal"]),
        )
        for each in kept
    )
