"""What findings are settled by: what a project says of them today, and what of that was good for something."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolspec.driver.linting.baseline import Baseline
    from toolspec.driver.linting.lint import Lint
    from toolspec.frontend.allowances.allowance import Named


@dataclass(frozen=True, slots=True)
class House:
    """What holds in a project today, and how much of it is looked at: all documents, for all targets."""

    lint: Lint
    baseline: Baseline
    today: str
    is_whole: bool
    has_all_targets: bool


@dataclass(slots=True)
class Used:
    """What was good for something: suppressions by their place and code, fingerprints."""

    named: set[Named] = field(default_factory=set)
    allowed: set[int] = field(default_factory=set)
    fingerprints: set[str] = field(default_factory=set)
