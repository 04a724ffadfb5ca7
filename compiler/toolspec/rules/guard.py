"""Guard around rules of other distributions; imported only where one runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Diagnostic, DiagnosticKind, Severity
from toolspec.frontend.locations import name_span
from toolspec.ir import Service
from toolspec.ir.partial import BrokenFieldError
from toolspec.rules.facts import ProjectFacts
from toolspec.rules.visits import DocumentVisit, SchemaVisit
from toolspec.shared.records import replace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from toolspec.rules.rule import Rule, Visit
    from toolspec.source import Span

FAILED = DiagnosticKind(
    code="rule/failed",
    severity=Severity.ERROR,
    message="the rule `{rule}` of {distribution} failed: {reason}",
    hint="install a version that works, or turn `{rule}` off",
    why=(
        "Another distribution may bring rules: an entry point of the group `toolspec.rules` that "
        "names a package. A rule that raises an exception checks nothing more of the service; all "
        "other rules run to the end."
    ),
)


def guarded(
    rule: Rule, check: Callable[[Visit], Iterator[Diagnostic]]
) -> Callable[[Visit], Iterator[Diagnostic]]:
    """Return a check that reports its first exception as a diagnostic, and then does nothing."""
    has_failed = False

    def guarded_check(visit: Visit) -> Iterator[Diagnostic]:
        nonlocal has_failed
        if has_failed:
            return
        try:
            yield from map(_complete, check(visit))
        except BrokenFieldError:
            raise
        except Exception as error:  # noqa: BLE001 - code of others, which may raise anything
            has_failed = True
            yield FAILED.at(
                _span(visit),
                rule=rule.code,
                distribution=rule.distribution,
                reason=f"{type(error).__name__}: {error}",
            )

    return guarded_check


def _complete(diagnostic: object) -> Diagnostic:
    """Return a diagnostic with its parts made, which runs code of the rule."""
    if not isinstance(diagnostic, Diagnostic):
        problem = f"it yielded {type(diagnostic).__name__}, not Diagnostic"
        raise TypeError(problem)
    return replace(diagnostic, parts=tuple(diagnostic.parts))


def _span(visit: Visit) -> Span | None:
    """Return the span of what a rule was called with; None for all services together."""
    match visit:
        case ProjectFacts():
            return None
        case Service():
            return name_span(visit)
        case DocumentVisit():
            return visit.document.source.span(0, 0)
        case SchemaVisit(schema=schema) if schema.location:
            return schema.location.span
        case SchemaVisit(tool=None):
            return name_span(visit.service)
    return name_span(visit.tool) if visit.tool else None
