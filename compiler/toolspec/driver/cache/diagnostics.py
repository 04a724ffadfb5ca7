"""Converts diagnostics to JSON and back; spans refer to files by path."""

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
    TextEdit,
)
from toolspec.source import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from toolspec.source import SourceFile

    # The result of `json.loads`, written by this module beside a checksum.
    Kept = Any
    Sources = Callable[[str], SourceFile]


def diagnostics_to_json(found: Iterable[Diagnostic]) -> list[Kept]:
    """Return diagnostics as JSON."""
    return [
        {
            "kind": list(astuple(each.kind)),
            "message": each.message,
            "span": kept_span(each.span),
            "label": each.label,
            "labels": [[kept_span(label.span), label.text] for label in each.labels],
            "help": each.help,
            "subject": list(astuple(each.subject)),
            "fix": _kept_fix(each.fix),
            "parts": diagnostics_to_json(each.parts),
            "values": list(each.values),
        }
        for each in found
    ]


def diagnostics_from_json(kept: Iterable[Kept], sources: Sources) -> tuple[Diagnostic, ...]:
    """Return diagnostics from JSON; `sources` resolves the files of spans."""
    return tuple(
        Diagnostic(
            kind=_kind(*each["kind"]),
            message=each["message"],
            span=span(each["span"], sources),
            label=each["label"],
            labels=tuple(Label(place(span, sources), text) for span, text in each["labels"]),
            help=each["help"],
            subject=Subject(*each["subject"]),
            fix=_fix(each["fix"], sources),
            parts=diagnostics_from_json(each["parts"], sources),
            values=tuple(each["values"]),
        )
        for each in kept
    )


def files_in(found: Iterable[Diagnostic]) -> dict[str, SourceFile]:
    """Return the files of diagnostics by path."""
    spans: list[Span] = []
    for each in (alone for one in found for alone in (one, *one.parts)):
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


def kept_span(span: Span | None) -> Kept:
    """Return a span as JSON."""
    return span and [
        span.source.path,
        span.start,
        span.end,
        [kept_span(each) for each in span.via],
    ]


def span(kept: Kept, sources: Sources) -> Span | None:
    """Return a span from JSON, or None."""
    return None if kept is None else place(kept, sources)


def place(kept: Kept, sources: Sources) -> Span:
    """Return a span from JSON."""
    path, start, end, via = kept
    return Span(sources(path), start, end, tuple(place(each, sources) for each in via))


def _kept_fix(fix: Fix | None) -> Kept:
    return fix and [fix.title, [[kept_span(e.span), e.new_text] for e in fix.edits], fix.safe]


def _fix(kept: Kept, sources: Sources) -> Fix | None:
    if kept is None:
        return None
    title, edits, safe = kept
    return Fix(title, tuple(TextEdit(place(span, sources), text) for span, text in edits), safe)
