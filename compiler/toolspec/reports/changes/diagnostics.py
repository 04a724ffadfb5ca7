"""Changes as diagnostics, for the report formats of diagnostics: github, sarif and junit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.changes.catalogue import entry
from toolspec.changes.kind import Level, gravest_of
from toolspec.diagnostics import DiagnosticKind, Severity, Subject
from toolspec.reports import render as render_diagnostics
from toolspec.reports.changes.comparison import affected, proof_text
from toolspec.shared.records import replace
from toolspec.syntax.pointer import format_pointer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from toolspec.changes.change import Change, Place
    from toolspec.changes.kind import Audience
    from toolspec.diagnostics import Diagnostic
    from toolspec.reports.changes import Form
    from toolspec.reports.changes.comparison import Comparison
    from toolspec.source import Span

NOT_COMPARED = DiagnosticKind(
    code="diff/not-compared",
    severity=Severity.NOTE,
    message="not compared, since one side does not show it: {facts}",
    hint="compare two projects",
    why="A list of tools does not show every fact of a tool, such as its permissions.",
)
UNRESOLVED = DiagnosticKind(
    code="diff/unresolved",
    severity=Severity.WARNING,
    message="`{name}` is not compared, since it does not compile",
    hint="fix what `toolspec check` reports",
    why="A tool or service with errors is not compared; it does not count as removed.",
)
KINDS = (NOT_COMPARED, UNRESOLVED)

SEVERITIES = {
    Level.BREAK: Severity.ERROR,
    Level.RISK: Severity.WARNING,
    Level.NOTE: Severity.NOTE,
}


def render(comparison: Comparison, form: Form) -> str:
    """Return the report in a format of diagnostics."""
    return render_diagnostics(
        form,
        diagnostics(comparison),
        base=comparison.base,
        limit=SEVERITIES[comparison.limit],
    )


def diagnostics(comparison: Comparison, limit: Level = Level.BREAK) -> tuple[Diagnostic, ...]:
    """Return a diagnostic for each change, and those about the comparison.

    Changes of at least the level `limit` are errors.
    """
    return tuple(_diagnostics(comparison, limit))


def _diagnostics(comparison: Comparison, limit: Level) -> Iterator[Diagnostic]:
    for change in comparison.changes.changes:
        diagnostic = change_diagnostic(change, comparison.span, comparison.audiences)
        if comparison.level(change).rank <= limit.rank:
            diagnostic = replace(diagnostic, configured=Severity.ERROR)
        yield diagnostic
    for change, suppression in comparison.suppressed:
        diagnostic = change_diagnostic(change, comparison.span, comparison.audiences)
        yield replace(diagnostic, suppression=suppression)
    if comparison.changes.not_compared:
        yield NOT_COMPARED.at(None, facts=", ".join(comparison.changes.not_compared))
    for name in comparison.changes.unresolved:
        yield UNRESOLVED.at(None, name=name)
    yield from comparison.diagnostics


def change_diagnostic(
    change: Change, span: Callable[[Place], Span | None], audiences: frozenset[Audience]
) -> Diagnostic:
    """Return a change as a diagnostic; `span` returns where a fact is in the new version."""
    place = change.place
    subject = Subject(place.service, place.tool, format_pointer(place.path))
    told = "; ".join(filter(None, (proof_text(change), change.advice)))
    diagnostic = _kind(change).at(
        _span(change, span), subject=subject, message=change.message, help=told
    )
    return replace(diagnostic, configured=SEVERITIES[change.level(audiences)])


def _span(change: Change, span: Callable[[Place], Span | None]) -> Span | None:
    """Return where a change is in the new version; for a part that is gone, what was around it."""
    if change.new:
        return span(change.new)
    assert change.old is not None, "one side has the part"
    around = (change.old, replace(change.old, tool="", path=()))
    return next(filter(None, map(span, around)), None)


def _kind(change: Change) -> DiagnosticKind:
    """Return the kind of a change as one of diagnostics, with its gravest level."""
    known = entry(change.code)
    readers = affected(known.kind.levels)
    return DiagnosticKind(
        code=change.code,
        severity=SEVERITIES[gravest_of(change.kind.levels.values(), Level.NOTE)],
        message="{message}",
        hint="{help}",
        is_rule=True,
        why=f"{known.summary} Affects: {readers}." if readers else known.summary,
    )
