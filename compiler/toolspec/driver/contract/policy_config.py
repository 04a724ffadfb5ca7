"""Reads `[contract]` of the configuration and reports every mistake at its location."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, TypeVar

from toolspec.changes import catalogue
from toolspec.changes.kind import OUTSIDE, Audience, Level
from toolspec.changes.schemas import Readers
from toolspec.driver.contract import contract_kinds as kinds
from toolspec.driver.contract.policy import ContractPolicy, LevelOverride, change_suggestion
from toolspec.driver.lint.config import CodeTable, read_allowed, read_choice
from toolspec.reports.changes.diagnostics import SEVERITIES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolspec.driver.toml_locations import Table
    from toolspec.source import Span

Word = TypeVar("Word", bound=StrEnum)

_REPORTED = (Level.BREAK, Level.RISK, Level.NOTE)
_CHOICES = ("select", "ignore", "level")
_KEYS = (
    *_CHOICES, "tools", "override", "allow",
    "fail-on", "audience", "readers", "review", "deprecation-days",
)  # fmt: skip


def _check_word(span: Span, table: Table, word: str, verb: str) -> bool:
    del verb
    if catalogue.matching(word):
        return True
    what = "change" if "/" in word else "change or family of changes"
    hint = change_suggestion(word)
    table.add(kinds.UNKNOWN_CHANGE.at(span, what=what, word=word, suggestion=hint))
    return False


def _expanded(word: str) -> Iterable[str]:
    return catalogue.matching(word) if "*" in word or "?" in word else (word,)


CHANGES = CodeTable(
    "change",
    "level",
    {**{str(level): SEVERITIES[level] for level in _REPORTED}, "off": None},
    {"error": "break", "warning": "risk", "warn": "risk", "info": "note", "none": "off"},
    "argument/value-removed",
    kinds.UNKNOWN_LEVEL,
    _check_word,
    _expanded,
)


def read_policy(table: Table) -> ContractPolicy:
    """Return the settings of a `[contract]` table; invalid ones are left out and reported."""
    table.check_keys(_KEYS)
    (fail_on,) = _words(table, "fail-on", _REPORTED, (Level.BREAK,), is_list=False)
    (readers,) = _words(table, "readers", tuple(Readers), (Readers.TOLERANT,), is_list=False)
    return ContractPolicy(
        read_choice(table, CHANGES),
        tuple(_overrides(table)),
        tuple(read_allowed(table, CHANGES)),
        table.texts("tools", 'tools = ["crm_*"]'),
        fail_on,
        frozenset(_words(table, "audience", tuple(Audience), tuple(OUTSIDE))),
        readers,
        frozenset(_words(table, "review", _REPORTED, ())),
        _days(table),
    )


def _words(
    table: Table,
    key: str,
    known: tuple[Word, ...],
    default: tuple[Word, ...],
    *,
    is_list: bool = True,
) -> tuple[Word, ...]:
    """Return the words of a setting, or its default; words that are not known are reported."""
    value = table.value.get(key, [*default] if is_list else default[0])
    words = value if is_list else [value]
    if isinstance(words, list) and words and all(word in known for word in words):
        return tuple(one for one in known if one in words)
    if key in table.value:
        *most, last = (f"`{one}`" for one in known)
        example = f'{key} = ["{known[0]}"]' if is_list else f'{key} = "{known[0]}"'
        either = f"{', '.join(most)} or {last}"
        table.report_type(key, f"a list of {either}" if is_list else either, example)
    return default


def _days(table: Table) -> int:
    days = table.value.get("deprecation-days", 0)
    if isinstance(days, int) and not isinstance(days, bool) and days >= 0:
        return days
    table.report_type("deprecation-days", "a number of days", "deprecation-days = 90")
    return 0


def _overrides(contract: Table) -> Iterator[LevelOverride]:
    for table in contract.tables("override"):
        table.check_keys(("paths", "tools", *_CHOICES))
        paths = table.texts("paths", 'paths = ["specs/legacy/**"]')
        tools = table.texts("tools", 'tools = ["crm_*"]')
        if not table.value.keys() & {"paths", "tools"}:
            table.report_type("paths", "a list of patterns", 'paths = ["specs/legacy/**"]')
        choice = read_choice(table, CHANGES)
        if paths or tools:
            yield LevelOverride(paths, tools, choice)
