"""JSON form of diagnostics and suppressions in cached analyses; spans refer to files by path."""

from __future__ import annotations

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
from toolspec.frontend.allow_syntax.parsed import DocumentSuppression, SuppressedCode
from toolspec.shared.records import field_values
from toolspec.source import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from toolspec.source import SourceFile

    # The result of `json.loads`, written by this module beside a checksum.
    Json = Any
    Sources = Callable[[str], SourceFile]


def diagnostics_to_json(diagnostics: Iterable[Diagnostic]) -> list[Json]:
    """Return diagnostics as JSON."""
    return [
        {
            "kind": list(field_values(diagnostic.kind)),
            "message": diagnostic.message,
            "span": _span_to_json(diagnostic.span),
            "label": diagnostic.label,
            "labels": [[_span_to_json(label.span), label.text] for label in diagnostic.labels],
            "help": diagnostic.help,
            "subject": list(field_values(diagnostic.subject)),
            "fix": _fix_to_json(diagnostic.fix),
            "parts": diagnostics_to_json(diagnostic.parts),
            "values": list(diagnostic.values),
        }
        for diagnostic in diagnostics
    ]


def diagnostics_from_json(stored: Iterable[Json], sources: Sources) -> tuple[Diagnostic, ...]:
    """Return diagnostics from JSON; `sources` resolves the files of spans."""
    return tuple(
        Diagnostic(
            kind=_kind(*stored["kind"]),
            message=stored["message"],
            span=_optional_span(stored["span"], sources),
            label=stored["label"],
            labels=tuple(Label(_span(span, sources), text) for span, text in stored["labels"]),
            help=stored["help"],
            subject=Subject(*stored["subject"]),
            fix=_fix(stored["fix"], sources),
            parts=diagnostics_from_json(stored["parts"], sources),
            values=tuple(stored["values"]),
        )
        for stored in stored
    )


def files_in(diagnostics: Iterable[Diagnostic]) -> dict[str, SourceFile]:
    """Return the files of diagnostics by path."""
    spans: list[Span] = []
    for part in (alone for one in diagnostics for alone in (one, *one.parts)):
        spans += [part.span] if part.span else []
        spans += [label.span for label in part.labels]
        spans += [edit.span for edit in part.fix.edits] if part.fix else []
    files: dict[str, SourceFile] = {}
    while spans:
        span = spans.pop()
        files[span.source.path] = span.source
        spans += span.via
    return files


def _kind(code: str, severity: str, *others: Any) -> DiagnosticKind:
    return DiagnosticKind(code, Severity(severity), *others)


def _span_to_json(span: Span | None) -> Json:
    """Return a span as JSON."""
    return span and [
        span.source.path,
        span.start,
        span.end,
        [_span_to_json(alias) for alias in span.via],
    ]


def _optional_span(stored: Json, sources: Sources) -> Span | None:
    """Return a span from JSON, or None."""
    return None if stored is None else _span(stored, sources)


def _span(stored: Json, sources: Sources) -> Span:
    """Return a span from JSON."""
    path, start, end, via = stored
    return Span(sources(path), start, end, tuple(_span(alias, sources) for alias in via))


def _fix_to_json(fix: Fix | None) -> Json:
    return fix and [fix.title, [[_span_to_json(e.span), e.new_text] for e in fix.edits], fix.safe]


def _fix(stored: Json, sources: Sources) -> Fix | None:
    if stored is None:
        return None
    title, edits, safe = stored
    return Fix(title, tuple(TextEdit(_span(span, sources), text) for span, text in edits), safe)


def suppressions_to_json(suppressions: Iterable[DocumentSuppression]) -> list[Json]:
    """Return suppressions as JSON."""
    return [
        {
            "source": str(suppression.source),
            "named": [[named.code, _span_to_json(named.span)] for named in suppression.named],
            "reason": suppression.reason,
            "until": suppression.until,
            "span": _span_to_json(suppression.span),
            "covers": _span_to_json(suppression.covers),
            "removal": [[_span_to_json(edit.span), edit.new_text] for edit in suppression.removal],
        }
        for suppression in suppressions
    ]


def suppressions_from_json(
    stored: Iterable[Json], sources: Sources
) -> tuple[DocumentSuppression, ...]:
    """Return suppressions from JSON; `sources` resolves the files of spans."""
    return tuple(
        DocumentSuppression(
            source=SuppressionSource(stored["source"]),
            named=tuple(SuppressedCode(code, _span(at, sources)) for code, at in stored["named"]),
            reason=stored["reason"],
            until=stored["until"],
            span=_span(stored["span"], sources),
            covers=_optional_span(stored["covers"], sources),
            removal=tuple(TextEdit(_span(at, sources), text) for at, text in stored["removal"]),
        )
        for stored in stored
    )
