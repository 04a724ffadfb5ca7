"""Reads `[[lint.allow]]`, the suppressions of the configuration."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING

from toolspec.driver.lint import codes, kinds
from toolspec.driver.lint.lint import ConfiguredSuppression
from toolspec.frontend.suppressions.suppression import LEAST_REASON, RISKS, is_day, is_reason

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.driver.table import Table
    from toolspec.source import Span

_LIMITS = ("tool", "service", "path", "pointer")
_KEYS = ("rule", "reason", "until", *_LIMITS)
_EXAMPLE = 'rule = "schema/any-output"'


def read_allowed(lint: Table) -> Iterator[ConfiguredSuppression]:
    """Yield the suppressions; a table without an existing rule is skipped."""
    for table in lint.tables("allow"):
        table.check_keys(_KEYS)
        rule = table.text("rule", _EXAMPLE).removesuffix("/*")
        reason, until = table.text("reason", 'reason = "the export is bounded"'), _until(table)
        limits = {key: table.texts(key, f'{key} = ["…"]') for key in _LIMITS}
        if not rule:
            _amiss(table, "names no rule", f"add for example `{_EXAMPLE}`")
        if not is_reason(reason):
            hint = f"say why in {LEAST_REASON} characters or more: `reason = …`"
            _amiss(table, "has no reason", hint, *(["reason"] if "reason" in table.value else []))
        if f"{rule}/".startswith(RISKS) and not table.value.get("until"):
            hint = "add the day by which it is looked at again: `until = 2027-01-31`"
            _amiss(table, f"of `{rule}` needs a last day", hint, "rule")
        if rule and check_word(table.span("rule"), table, rule, "allowed"):
            yield ConfiguredSuppression(rule, reason.strip(), table.span(), until, **limits)


def check_word(span: Span, table: Table, word: str, verb: str) -> bool:
    """Return whether a word is a configurable code or family; else report it at a span."""
    if codes.is_weighable(word):
        return True
    if codes.is_fixed(word):
        table.add(kinds.NOT_SUPPRESSIBLE.at(span, word=word, verb=verb))
        return False
    if problem := codes.trouble(word):
        family = word.partition("/")[0]
        table.add(kinds.BROKEN_RULES.at(span, family=family, problem=problem))
        return False
    what, hint = "rule" if "/" in word else "rule or family", codes.suggestion(word)
    table.add(kinds.UNKNOWN_RULE.at(span, what=what, word=word, suggestion=hint))
    return False


def _until(table: Table) -> str:
    """Return the last day as text; TOML has a date type."""
    value = table.value.get("until", "")
    if isinstance(value, date) and not isinstance(value, datetime):
        return value.isoformat()
    if value == "" or (isinstance(value, str) and is_day(value)):
        return str(value)
    _amiss(table, f"ends on `{value}`, which is no day", "write `until = 2027-01-31`", "until")
    return ""


def _amiss(table: Table, problem: str, hint: str, *steps: str) -> None:
    table.add(kinds.BAD_ALLOWANCE.at(table.span(*steps), problem=problem, suggestion=hint))
