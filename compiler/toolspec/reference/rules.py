"""Reference page of the lint rules: a table of all, then each with its manual, by family."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from toolspec.driver.manual import advice
from toolspec.reference.anchors import anchor, family_of
from toolspec.reference.schemas import options_table
from toolspec.rules import presets
from toolspec.rules.fixes import fixes
from toolspec.sinks.markdown import code, fenced, prose
from toolspec.sinks.markdown_layout import blocks, table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolspec.rules.rule import Rule


def rules_page(rules: Sequence[Rule]) -> str:
    """Return the page of some rules, which are sorted by code."""
    families = [(name, list(each)) for name, each in groupby(rules, key=_family)]
    page = blocks(
        "# Rules",
        "Without configuration, rules have their severity of the preset `recommended`; `core` and "
        "`strict` are the other presets. Each has a date and never changes. A rule that is not in a "
        "preset is off.",
        *(_overview(name, each) for name, each in families),
        *(blocks(f"## {name}", *map(_section, each)) for name, each in families),
    )
    return f"{page}\n"


def _overview(family: str, rules: Sequence[Rule]) -> str:
    names = presets.NAMES
    rows = (
        (
            f"[{code(rule.code)}](#{anchor(rule.code)})",
            prose(rule.summary),
            *(_severity(rule, name) for name in names),
            _fixable(rule),
        )
        for rule in rules
    )
    head = ("Rule", "Reports", *(code(name) for name in names), "Fix")
    return blocks(f"**{family}**", table(head, rows))


def _section(rule: Rule) -> str:
    manual = rule.kind.manual
    return blocks(
        f"### {code(rule.code)}",
        prose(rule.summary),
        prose(manual.why),
        f"What to do: {prose(advice(rule.kind))}." if advice(rule.kind) else "",
        f"Severity: {_severities(rule)}.",
        options_table(rule.options),
        *(f"Fix ({_safety(is_safe)}): {prose(title)}." for title, is_safe in fixes(rule)),
        "Reported:",
        *(fenced(each, "yaml") for each in manual.reported),
        "Accepted:",
        *(fenced(each, "yaml") for each in manual.accepted),
    )


def _severities(rule: Rule) -> str:
    by_preset = (f"{_severity(rule, name)} in {code(name)}" for name in presets.NAMES)
    return f"{rule.kind.severity}; {', '.join(by_preset)}"


def _severity(rule: Rule, preset: str) -> str:
    setting = presets.settings(preset).get(rule.code)
    return str(setting.severity) if setting and setting.severity else presets.OFF


def _fixable(rule: Rule) -> str:
    return ", ".join(sorted({_safety(is_safe) for _, is_safe in fixes(rule)}))


def _safety(is_safe: bool) -> str:
    return "safe" if is_safe else "unsafe"


def _family(rule: Rule) -> str:
    return family_of(rule.code)
