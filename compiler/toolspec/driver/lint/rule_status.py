"""Status of every rule in a project: severity, who set it, options, overrides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.driver.lint.codes import unset_setting
from toolspec.rules import engine, presets
from toolspec.rules.fixes import fixes
from toolspec.shared.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolspec.driver.lint.lint import Lint
    from toolspec.rules.rule import Rule
    from toolspec.rules.selection import Plan, Setting
    from toolspec.syntax.nodes import JsonObject


@dataclass(frozen=True, slots=True)
class RuleOverride:
    """Effect of an override on a rule."""

    paths: tuple[str, ...]
    severity: str
    set_by: str


@dataclass(frozen=True, slots=True)
class RuleStatus:
    """Status of a rule in a project.

    `severity` may be `off`; `fix` is `safe`, `unsafe` or empty.
    """

    code: str
    severity: str
    set_by: str
    options: JsonObject
    fix: str
    summary: str
    overrides: tuple[RuleOverride, ...]

    @property
    def as_json(self) -> JsonObject:
        """Return it as a JSON object."""
        overrides: list[JsonObject] = [
            {"paths": [*override.paths], "severity": override.severity, "setBy": override.set_by}
            for override in self.overrides
        ]
        return {
            "code": self.code,
            "severity": self.severity,
            "setBy": self.set_by,
            "options": self.options,
            "fix": self.fix,
            "summary": self.summary,
            "overrides": [*overrides],
        }


def rule_statuses(lint: Lint, codes: Iterable[str]) -> Iterator[RuleStatus]:
    """Yield the status of some rules."""
    for code in codes:
        rule = engine.find(code)
        setting = (lint.plan.settings or {}).get(code) or unset_setting(code)
        defaults = {name: schema["default"] for name, schema in rule.options.items()}
        yield RuleStatus(
            code,
            str(setting.severity or presets.OFF),
            setting.set_by,
            {**defaults, **setting.options},
            _fix(rule),
            rule.summary,
            tuple(_overrides(lint.plan, rule, setting)),
        )


def _overrides(plan: Plan, rule: Rule, before: Setting) -> Iterator[RuleOverride]:
    for override in plan.overrides:
        after = override.choice.decide(rule.code, before, rule.kind.severity)
        if after.severity is not before.severity:
            yield RuleOverride(override.paths, str(after.severity or presets.OFF), after.set_by)


def _fix(rule: Rule) -> str:
    safety = {is_safe for _, is_safe in fixes(rule)}
    return "" if not safety else "safe" if True in safety else "unsafe"
