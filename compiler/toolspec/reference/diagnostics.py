"""Reference pages of all diagnostics by family, and of the lint rules with their manuals."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from toolspec.driver import manual
from toolspec.reference.options import options_table
from toolspec.rules import presets
from toolspec.rules.fixes import fixes
from toolspec.sinks.markdown import blocks, code, fenced, prose, table

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from toolspec.diagnostics import DiagnosticKind
    from toolspec.rules.rule import Rule

_UNLINKED = re.compile(r"[^\w -]")


def anchor(heading: str) -> str:
    """Return the fragment of a heading, as GitHub derives it."""
    return _UNLINKED.sub("", heading.lower()).replace(" ", "-")


def diagnostics_page(kinds: Iterable[DiagnosticKind], rules: Collection[str]) -> str:
    """Return the page of kinds sorted by code; the codes in `rules` link to the page of rules."""
    families = [
        (name, list(group)) for name, group in groupby(kinds, key=lambda kind: _family(kind.code))
    ]
    page = blocks(
        "# Diagnostics",
        "Every diagnostic of the compiler, by family. An `error` stops the build. Words "
        "in braces are placeholders. [Rules](rules.md) have their own page.",
        *(_kinds_of_family(name, family, rules) for name, family in families),
    )
    return f"{page}\n"


def _kinds_of_family(name: str, kinds: list[DiagnosticKind], rules: Collection[str]) -> str:
    linted = [kind for kind in kinds if kind.code in rules]
    return blocks(
        f"## {name}",
        *(_kind(kind) for kind in kinds if kind.code not in rules),
        table(("Rule", "Severity", "Message"), map(_row_of_rule, linted)),
    )


def _row_of_rule(kind: DiagnosticKind) -> tuple[str, ...]:
    link = f"[{code(kind.code)}](rules.md#{anchor(kind.code)})"
    return link, str(kind.severity), prose(kind.message)


def _kind(kind: DiagnosticKind) -> str:
    advice = manual.advice(kind)
    return blocks(
        f"### {code(kind.code)}",
        f"**{kind.severity}**: {prose(kind.message)}",
        prose(kind.manual.why),
        f"What to do: {prose(advice)}." if advice else "",
        fenced(kind.manual.example.strip("\n")) if kind.manual.example else "",
    )


def rules_page(rules: Sequence[Rule]) -> str:
    """Return the page of rules sorted by code: a table of each family, then their manuals."""
    families = [
        (name, list(group)) for name, group in groupby(rules, key=lambda rule: _family(rule.code))
    ]
    page = blocks(
        "# Rules",
        "Without configuration, rules have their severity of the preset `recommended`; `core` and "
        "`strict` are the other presets. Each has a date and never changes. A rule that is not in a "
        "preset is off.",
        *(_table_of_family(name, family) for name, family in families),
        *(blocks(f"## {name}", *map(_rule, family)) for name, family in families),
    )
    return f"{page}\n"


def _table_of_family(family: str, rules: Sequence[Rule]) -> str:
    names = presets.NAMES
    rows = (
        (
            f"[{code(rule.code)}](#{anchor(rule.code)})",
            prose(rule.summary),
            *(_severity(rule, name) for name in names),
            ", ".join(sorted({_safety(is_safe) for _, is_safe in fixes(rule)})),
        )
        for rule in rules
    )
    head = ("Rule", "Reports", *(code(name) for name in names), "Fix")
    return blocks(f"**{family}**", table(head, rows))


def _rule(rule: Rule) -> str:
    advice = manual.advice(rule.kind)
    by_preset = (f"{_severity(rule, name)} in {code(name)}" for name in presets.NAMES)
    return blocks(
        f"### {code(rule.code)}",
        prose(rule.summary),
        prose(rule.kind.manual.why),
        f"What to do: {prose(advice)}." if advice else "",
        f"Severity: {rule.kind.severity}; {', '.join(by_preset)}.",
        options_table(rule.options),
        *(f"Fix ({_safety(is_safe)}): {prose(title)}." for title, is_safe in fixes(rule)),
        "Reported:",
        *(fenced(example, "yaml") for example in rule.kind.manual.reported),
        "Accepted:",
        *(fenced(example, "yaml") for example in rule.kind.manual.accepted),
    )


def _severity(rule: Rule, preset: str) -> str:
    setting = presets.settings(preset).get(rule.code)
    return str(setting.severity) if setting and setting.severity else presets.OFF


def _safety(is_safe: bool) -> str:
    return "safe" if is_safe else "unsafe"


def _family(code: str) -> str:
    return code.partition("/")[0]
