"""Applies severities and suppressions to diagnostics.

It is the last step of every build, over all diagnostics: only then is it known which suppressions
were used. Of documents it needs only their suppressions, so units can come from a cache.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity, Suppression, SuppressionSource
from toolspec.driver.lint.context import UsedSuppressions
from toolspec.frontend.suppressions.suppression import is_live
from toolspec.shared.records import replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.driver.lint.context import LintContext
    from toolspec.frontend.suppressions.suppression import DocumentSuppression, SuppressedCode


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
    weighed = tuple(lint_context.lint.plan.weigh(diagnostics))
    suppressions = tuple({each.span: each for each in in_documents}.values())
    lint, baseline = lint_context.lint, lint_context.baseline
    if not (suppressions or lint.allowed or baseline.entries):
        return LintResult(weighed)
    from toolspec.driver.lint import check_suppressions

    used = UsedSuppressions()
    index = _SuppressionIndex(lint_context, suppressions, used)
    suppressed = [part for each in weighed for part in index.suppressed(each)]
    is_all = lint_context.has_all_targets and not has_unsuppressed_errors(weighed)
    about = check_suppressions.check_suppressions(lint_context, suppressions, used, is_all=is_all)
    days = [*(each.until for each in suppressions), *(each.until for each in lint.allowed)]
    until = min((day for day in days if day and day >= lint_context.today), default="")
    return LintResult((*suppressed, *lint.plan.weigh(about)), until)


def has_unsuppressed_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    """Return whether an error cannot be suppressed, so that rules did not see all documents."""
    return any(
        each.kind.severity is Severity.ERROR and not is_reported(each) for each in diagnostics
    )


def is_reported(diagnostic: Diagnostic) -> bool:
    """Return whether a diagnostic can be suppressed: a rule's, or a warning about a document."""
    if diagnostic.kind.severity is Severity.ERROR:
        return diagnostic.kind.is_rule
    return not diagnostic.code.startswith(("meta/", "config/"))


class _SuppressionIndex:
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
        for each in suppressions:
            if is_live(each.until, lint_context.today):
                for named in each.named:
                    self._by_code[each.span.source.path, named.code].append((named, each))
        self._allowed = [
            (at, each)
            for at, each in enumerate(lint_context.lint.allowed)
            if is_live(each.until, lint_context.today)
        ]

    def suppressed(self, diagnostic: Diagnostic) -> Iterable[Diagnostic]:
        """Yield a diagnostic with its suppression, if any, and mark all that match as used.

        A diagnostic about several locations is split if they do not share one suppression.
        """
        if not is_reported(diagnostic):
            return (diagnostic,)
        if not diagnostic.parts:
            return (self._alone(diagnostic),)
        parts = [
            self._alone(replace(each, configured=diagnostic.configured))
            for each in diagnostic.parts
        ]
        first = parts[0].suppression
        if any(each.suppression != first for each in parts):
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
        for named, each in matching:
            self._used.named.add(named)
            yield Suppression(each.source, each.reason, each.until or "", each.span)

    def _of_project(self, diagnostic: Diagnostic) -> Iterator[Suppression]:
        for at, each in self._allowed:
            if each.takes_in(diagnostic):
                self._used.allowed.add(at)
                yield Suppression(
                    SuppressionSource.CONFIGURATION, each.reason, each.until, each.span
                )

    def _of_baseline(self, diagnostic: Diagnostic) -> Iterator[Suppression]:
        baseline = self._lint_context.baseline
        if baseline.entries and diagnostic.fingerprint in baseline.entries:
            self._used.fingerprints.add(diagnostic.fingerprint)
            yield Suppression(SuppressionSource.BASELINE, "found when the baseline was written")
