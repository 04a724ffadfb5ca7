"""Inputs for applying suppressions: project settings, date, and which suppressions were used."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from toolspec.shared.records import dataclass

if TYPE_CHECKING:
    from toolspec.driver.lint.baseline import Baseline
    from toolspec.driver.lint.lint import Lint
    from toolspec.frontend.suppressions.suppression import SuppressedCode


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
