"""What a project says about its findings: `[lint]` of the configuration as values."""

from __future__ import annotations

from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from toolspec.rules import presets
from toolspec.rules.selection import Plan, matches

if TYPE_CHECKING:
    from toolspec.diagnostics import Diagnostic
    from toolspec.source import Span


@dataclass(frozen=True, slots=True)
class Allowed:
    """A `[[lint.allow]]`: a code or family, and the tools, services, documents and places it is about.

    Each of these is a tuple of patterns, any of which will do; without patterns, everything will.
    `until` is the last day as `2027-01-31`, or empty.
    """

    rule: str
    reason: str
    span: Span
    until: str = ""
    tool: tuple[str, ...] = ()
    service: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    pointer: tuple[str, ...] = ()

    def takes_in(self, found: Diagnostic) -> bool:
        """Whether a finding is its matter."""
        subject, path = found.subject, found.span.source.path if found.span else ""
        return (
            (found.code == self.rule or found.code.startswith(f"{self.rule}/"))
            and _any(self.tool, subject.tool)
            and _any(self.service, subject.service)
            and (not self.path or any(matches(each, path) for each in self.path))
            and (not self.pointer or any(matches(each, subject.pointer) for each in self.pointer))
        )

    @property
    def is_everywhere(self) -> bool:
        """Whether it is about every document there is."""
        limits = (self.tool, self.service, self.path, self.pointer)
        return all(not each or not all(text.strip("*/") for text in each) for each in limits)


@dataclass(frozen=True, slots=True)
class Lint:
    """Which rules run and how, and what is allowed to stand."""

    preset: str = presets.DEFAULT
    plan: Plan = field(default_factory=lambda: Plan(presets.settings(presets.DEFAULT)))
    allowed: tuple[Allowed, ...] = ()


def _any(patterns: tuple[str, ...], text: str) -> bool:
    return not patterns or any(fnmatchcase(text, each) for each in patterns)
