"""Suppressions: applies them, and severities, to diagnostics.

This is the last step of every build, because it needs all diagnostics to find unused suppressions.
It needs no document, so analyses can come from the cache.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity, Suppression, SuppressionSource
from toolspec.driver.lint.lint import UsedSuppressions
from toolspec.frontend.allow_syntax.parsed import is_live
from toolspec.shared.records import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.driver.lint.lint import LintContext
    from toolspec.frontend.allow_syntax.parsed import DocumentSuppression, SuppressedCode


@dataclass(frozen=True, slots=True)
class LintResult:
    """Final diagnostics; `until` is the last day on which they are valid, empty for always."""

    diagnostics: tuple[Diagnostic, ...]
    until: str = ""


def apply_suppressions(
    diagnostics: Iterable[Diagnostic],
    in_documents: Iterable[DocumentSuppression],
    lint_context: LintContext,
) -> LintResult:
    """Return diagnostics with severities and suppressions, plus those about suppressions."""
    configured = tuple(lint_context.lint.plan.with_severities(diagnostics))
    suppressions = tuple({suppression.span: suppression for suppression in in_documents}.values())
    lint, baseline = lint_context.lint, lint_context.baseline
    if not (suppressions or lint.allowed or baseline.entries):
        return LintResult(configured)
    from toolspec.driver.lint import check_suppressions

    used = UsedSuppressions()
    index = SuppressionIndex(lint_context, suppressions, used)
    suppressed = [part for diagnostic in configured for part in index.suppressed(diagnostic)]
    is_all = lint_context.has_all_targets and not has_unsuppressed_errors(configured)
    about = check_suppressions.check_suppressions(lint_context, suppressions, used, is_all=is_all)
    days = [
        *(suppression.until for suppression in suppressions),
        *(suppression.until for suppression in lint.allowed),
    ]
    until = min((day for day in days if day and day >= lint_context.today), default="")
    return LintResult((*suppressed, *lint.plan.with_severities(about)), until)


def has_unsuppressed_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    """Return whether an error cannot be suppressed, so that rules did not see all documents."""
    return any(
        diagnostic.kind.severity is Severity.ERROR and not is_suppressible(diagnostic)
        for diagnostic in diagnostics
    )


def is_suppressible(diagnostic: Diagnostic) -> bool:
    """Return whether a diagnostic can be suppressed: a rule's, or a warning about a document."""
    if diagnostic.kind.severity is Severity.ERROR:
        return diagnostic.kind.is_rule
    return not diagnostic.code.startswith(("meta/", "config/"))


class SuppressionIndex:
    """Finds the suppression of a diagnostic: in its document, the configuration or the baseline."""

    def __init__(
        self,
        lint_context: LintContext,
        suppressions: Iterable[DocumentSuppression],
        used: UsedSuppressions,
    ) -> None:
        self._lint_context, self._used = lint_context, used
        self._by_code: dict[tuple[str, str], list[tuple[SuppressedCode, DocumentSuppression]]] = (
            defaultdict(list)
        )
        for suppression in suppressions:
            if is_live(suppression.until, lint_context.today):
                for named in suppression.named:
                    self._by_code[suppression.span.source.path, named.code].append(
                        (named, suppression)
                    )
        self._allowed = [
            (at, suppression)
            for at, suppression in enumerate(lint_context.lint.allowed)
            if is_live(suppression.until, lint_context.today)
        ]

    def suppressed(self, diagnostic: Diagnostic) -> Iterable[Diagnostic]:
        """Yield a diagnostic with its suppression, if any, and mark all that match as used.

        A diagnostic about several locations is split if they do not share one suppression.
        """
        if not is_suppressible(diagnostic):
            return (diagnostic,)
        if not diagnostic.parts:
            return (self._alone(diagnostic),)
        parts = [
            self._alone(replace(part, configured=diagnostic.configured))
            for part in diagnostic.parts
        ]
        first = parts[0].suppression
        if any(part.suppression != first for part in parts):
            return parts
        return (replace(diagnostic, suppression=first),)

    def _alone(self, diagnostic: Diagnostic) -> Diagnostic:
        matches = (
            *self._of_documents(diagnostic),
            *self._of_project(diagnostic),
            *self._of_baseline(diagnostic),
        )
        return replace(diagnostic, suppression=matches[0]) if matches else diagnostic

    def _of_documents(self, diagnostic: Diagnostic) -> Iterator[Suppression]:
        spans = (diagnostic.span, *diagnostic.span.via) if diagnostic.span else ()
        matching = (
            pair
            for span in spans
            for code in (diagnostic.code, diagnostic.code.partition("/")[0])
            for pair in self._by_code.get((span.source.path, code), ())
            if pair[1].reaches(span)
        )
        for named, suppression in matching:
            self._used.named.add(named)
            yield Suppression(
                suppression.source, suppression.reason, suppression.until or "", suppression.span
            )

    def _of_project(self, diagnostic: Diagnostic) -> Iterator[Suppression]:
        for at, suppression in self._allowed:
            if suppression.covers(diagnostic):
                self._used.allowed.add(at)
                yield Suppression(
                    SuppressionSource.CONFIGURATION,
                    suppression.reason,
                    suppression.until,
                    suppression.span,
                )

    def _of_baseline(self, diagnostic: Diagnostic) -> Iterator[Suppression]:
        baseline = self._lint_context.baseline
        if baseline.entries and diagnostic.fingerprint in baseline.entries:
            self._used.fingerprints.add(diagnostic.fingerprint)
            yield Suppression(SuppressionSource.BASELINE, "found when the baseline was written")
