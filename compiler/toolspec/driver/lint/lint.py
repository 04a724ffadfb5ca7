"""Lint settings of a project, as `[lint]` states them, and of a build."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from toolspec.rules import presets
from toolspec.rules.selection import Plan, matches
from toolspec.shared.records import dataclass, field

if TYPE_CHECKING:
    from toolspec.diagnostics import Diagnostic
    from toolspec.driver.lint.baseline import Baseline
    from toolspec.frontend.allow_syntax.parsed import SuppressedCode
    from toolspec.source import Span


@dataclass(frozen=True, slots=True)
class ConfiguredSuppression:
    """A `[[lint.allow]]`: a code or family, with tools, services, documents and locations.

    Each of these is a tuple of patterns, any of which may match; without patterns everything
    matches. `until` is the last day as `2027-01-31`, or empty.
    """

    rule: str
    reason: str
    span: Span
    until: str = ""
    tool: tuple[str, ...] = ()
    service: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    pointer: tuple[str, ...] = ()

    def covers(self, diagnostic: Diagnostic) -> bool:
        """Return whether it matches a diagnostic."""
        subject, path = diagnostic.subject, diagnostic.span.source.path if diagnostic.span else ""
        return (
            (diagnostic.code == self.rule or diagnostic.code.startswith(f"{self.rule}/"))
            and _any(self.tool, subject.tool)
            and _any(self.service, subject.service)
            and (not self.path or any(matches(pattern, path) for pattern in self.path))
            and (
                not self.pointer
                or any(matches(pattern, subject.pointer) for pattern in self.pointer)
            )
        )

    @property
    def is_everywhere(self) -> bool:
        """Return whether it applies to every document."""
        limits = (self.tool, self.service, self.path, self.pointer)
        return all(
            not patterns or not all(text.strip("*/") for text in patterns) for patterns in limits
        )


@dataclass(frozen=True, slots=True)
class Lint:
    """Rule selection, options and suppressions of a project."""

    preset: str = presets.DEFAULT
    plan: Plan = field(default_factory=lambda: Plan(presets.settings(presets.DEFAULT)))
    allowed: tuple[ConfiguredSuppression, ...] = ()


def _any(patterns: tuple[str, ...], text: str) -> bool:
    return not patterns or any(fnmatchcase(text, pattern) for pattern in patterns)


@dataclass(frozen=True, slots=True)
class LintContext:
    """Lint settings of a build, and whether it covers all documents and all targets."""

    lint: Lint
    baseline: Baseline
    today: str
    is_whole: bool
    has_all_targets: bool


@dataclass(slots=True)
class UsedSuppressions:
    """Used suppressions by location and code, and used fingerprints."""

    named: set[SuppressedCode] = field(default_factory=set)
    allowed: set[int] = field(default_factory=set)
    fingerprints: set[str] = field(default_factory=set)
