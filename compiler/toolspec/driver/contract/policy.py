"""Policy of a project about changes: which are reported, at which level, for whom."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from toolspec.changes import catalogue
from toolspec.changes.bumps import advise, missing_bumps
from toolspec.changes.change import Changes
from toolspec.changes.compare import compare
from toolspec.changes.kind import OUTSIDE, Level
from toolspec.changes.removals import RemovalTerms
from toolspec.changes.schemas import Readers
from toolspec.diagnostics import Severity, did_you_mean
from toolspec.driver.contract import contract_kinds as kinds
from toolspec.driver.lint import codes
from toolspec.driver.lint.baseline import Baseline
from toolspec.driver.lint.check_suppressions import of_document, of_project
from toolspec.driver.lint.lint import Lint, LintContext, UsedSuppressions
from toolspec.driver.lint.suppressions import SuppressionIndex
from toolspec.reports.changes.diagnostics import SEVERITIES, change_diagnostic
from toolspec.rules.selection import Choice, Plan, Setting, matches
from toolspec.shared.records import dataclass, field, replace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from toolspec.changes.bumps import VersionAdvice
    from toolspec.changes.change import Change, Place
    from toolspec.changes.kind import Audience
    from toolspec.changes.side import Side
    from toolspec.diagnostics import Diagnostic, Suppression
    from toolspec.driver.lint.lint import ConfiguredSuppression
    from toolspec.frontend.allow_syntax.parsed import DocumentSuppression
    from toolspec.source import Span

_LEVELS = {severity: level for level, severity in SEVERITIES.items()}


@dataclass(frozen=True, slots=True)
class LevelOverride:
    """A choice for the changes of some documents and tools; without patterns, of all."""

    paths: tuple[str, ...]
    tools: tuple[str, ...]
    choice: Choice

    def covers(self, change: Change, path: str) -> bool:
        """Return whether it applies to a change in the document at a path."""
        is_in = not self.paths or any(matches(pattern, path) for pattern in self.paths)
        return is_in and (not self.tools or is_of_tools(change, self.tools))


@dataclass(frozen=True, slots=True)
class ContractPolicy:
    """Settings of `[contract]`.

    `tools` are patterns of the tools that count, all if empty. A change of at least the level
    `fail_on` fails a command. Acceptances of the levels in `review` need a review.
    `deprecation_days` is the minimum number of days from deprecation to removal.
    """

    choice: Choice = field(default_factory=Choice)
    overrides: tuple[LevelOverride, ...] = ()
    allowed: tuple[ConfiguredSuppression, ...] = ()
    tools: tuple[str, ...] = ()
    fail_on: Level = Level.BREAK
    audiences: frozenset[Audience] = OUTSIDE
    readers: Readers = Readers.TOLERANT
    review: frozenset[Level] = frozenset()
    deprecation_days: int = 0


@dataclass(frozen=True, slots=True)
class Selection:
    """Codes and tools that a command line chooses; its choice comes after the configuration."""

    choice: Choice = field(default_factory=Choice)
    tools: tuple[str, ...] = ()

    @property
    def is_all(self) -> bool:
        """Whether it chooses nothing."""
        return not self.tools and not self.choice.words


@dataclass(frozen=True, slots=True)
class Versions:
    """Two sides with what judges their changes.

    `span` returns where a fact is in the new version, `old_span` where it was. `suppressions` are
    those in the new documents. `deprecated_on` has the days on which deprecations were accepted. With
    `is_recorded` the changes may be recorded, so that their levels must not depend on the machine.
    """

    old: Side
    new: Side
    span: Callable[[Place], Span | None]
    old_span: Callable[[Place], Span | None] = lambda _: None
    suppressions: tuple[DocumentSuppression, ...] = ()
    deprecated_on: Mapping[str, str] = field(default_factory=dict)
    is_recorded: bool = False


@dataclass(frozen=True, slots=True)
class Judgement:
    """Changes with their levels, suppressed ones apart, and the bumps that the rest needs.

    `diagnostics` are about suppressions and selected tools.
    """

    changes: Changes = field(default_factory=Changes)
    suppressed: tuple[tuple[Change, Suppression], ...] = ()
    advice: tuple[VersionAdvice, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


def judge(
    versions: Versions, policy: ContractPolicy, today: str, selection: Selection | None = None
) -> Judgement:
    """Return the changes between two versions as a project judges them on a day."""
    selection = selection or Selection()
    old, new = versions.old, versions.new
    terms = RemovalTerms(today, policy.deprecation_days, versions.deprecated_on)
    compared = compare(
        old, new, readers=policy.readers, removals=terms, is_recorded=versions.is_recorded
    )
    judging = _Judging(versions, policy, selection, today)
    everything = Choice()
    judged = [*judging.judged(compared.changes, everything)]
    counted = (change for change, reason in judged if not reason)
    # Some of the tools say nothing about the version of their service.
    advice = () if judging.tools else advise(counted, old, new, policy.audiences)
    if selection.choice != everything:
        judged = [*judging.judged(compared.changes, selection.choice)]
    judged += judging.judged(missing_bumps(advice), selection.choice)
    by_place = sorted(judged, key=lambda one: one[0].order)
    return Judgement(
        replace(compared, changes=tuple(change for change, reason in by_place if not reason)),
        tuple((change, reason) for change, reason in by_place if reason),
        advice,
        (*unknown_tools(judging.tools, (*old.tools, *new.tools)), *judging.about_suppressions()),
    )


class _Judging:
    def __init__(
        self, versions: Versions, policy: ContractPolicy, selection: Selection, today: str
    ) -> None:
        self.tools = selection.tools or policy.tools
        self._versions, self._policy, self._selection = versions, policy, selection
        self._today = today
        lint = Lint(plan=Plan({}), allowed=policy.allowed)
        context = LintContext(lint, Baseline(), today, is_whole=True, has_all_targets=True)
        self._used = UsedSuppressions()
        self._index = SuppressionIndex(context, versions.suppressions, self._used)

    def judged(
        self, changes: Iterable[Change], choice: Choice
    ) -> Iterator[tuple[Change, Suppression | None]]:
        """Yield the changes that the policy and then a choice report, with levels and suppressions."""
        audiences = self._policy.audiences
        for change in changes:
            if self.tools and not is_of_tools(change, self.tools):
                continue
            diagnostic = change_diagnostic(change, self._versions.span, audiences)
            level = self._level(change, diagnostic, choice)
            if level is None:
                continue
            (judged,) = self._index.suppressed(diagnostic)
            is_set = level is not change.level()
            yield replace(change, configured=level) if is_set else change, judged.suppression

    def _level(self, change: Change, diagnostic: Diagnostic, choice: Choice) -> Level | None:
        """Return the level of a change, None if it is off."""
        policy = self._policy
        own = SEVERITIES[change.level(policy.audiences)]
        setting = _decided(policy.choice, change.code, Setting(own), own)
        path = self._path(change, diagnostic)
        for override in policy.overrides:
            if override.covers(change, path):
                setting = override.choice.decide(change.code, setting, own)
        stated = setting.severity or own
        severity = _decided(choice, change.code, setting, stated).severity
        return None if severity is None else _LEVELS[severity]

    def _path(self, change: Change, diagnostic: Diagnostic) -> str:
        """Return the path of the document in which a change is, or was."""
        span = diagnostic.span or (self._versions.old_span(change.old) if change.old else None)
        return span.source.path if span else ""

    def about_suppressions(self) -> Iterator[Diagnostic]:
        """Yield diagnostics about suppressions of changes: expired, unused, or too broad."""
        is_all = self._selection.is_all and not self.tools and not self._versions.new.unresolved
        for suppression in self._versions.suppressions:
            named = [each for each in suppression.named if codes.is_change(each.code)]
            unused = {each for each in named if is_all and each not in self._used.named}
            for diagnostic in of_document(suppression, named, self._today, unused):
                yield replace(diagnostic, fix=None)  # `check --fix` does not compare
        yield from of_project(self._policy.allowed, self._today, self._used.allowed, is_all=is_all)


def _decided(choice: Choice, code: str, before: Setting, own: Severity) -> Setting:
    """Return the setting of a code after a choice that reports only what it selects, if it selects."""
    return choice.decide(code, Setting(None) if choice.select else before, own)


def is_of_tools(change: Change, patterns: tuple[str, ...]) -> bool:
    """Return whether a change is about a tool that matches a pattern, by its name before or now."""
    names = (place.tool for place in (change.old, change.new) if place and place.tool)
    return any(fnmatchcase(name, pattern) for name in names for pattern in patterns)


def unknown_tools(patterns: Iterable[str], names: Iterable[str]) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each pattern that no tool matches."""
    names = tuple(dict.fromkeys(names))
    for pattern in patterns:
        if not any(fnmatchcase(name, pattern) for name in names):
            hint = did_you_mean(pattern, names)
            yield kinds.UNKNOWN_TOOL.at(None, name=pattern, suggestion=hint)


def change_suggestion(word: str) -> str:
    """Return a hint that suggests a known code or family of changes for an unknown word."""
    known = catalogue.modules() if "/" in word else catalogue.families()
    return did_you_mean(word.removesuffix("/*"), known)
