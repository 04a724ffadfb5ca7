"""Reads `[lint]` of the configuration and reports every mistake at its location."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from toolspec.diagnostics import Severity, did_you_mean
from toolspec.driver.lint import codes, kinds
from toolspec.driver.lint.lint import ConfiguredSuppression, Lint
from toolspec.frontend.allow_syntax.kinds import FLOATING, problem_of_reason
from toolspec.frontend.allow_syntax.parsed import LEAST_REASON, RISKS, is_reason
from toolspec.rules import engine, presets
from toolspec.rules.selection import Choice, Override, Plan
from toolspec.shared.days import is_day
from toolspec.shared.records import dataclass, replace
from toolspec.shared.spelling import nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from toolspec.diagnostics import DiagnosticKind
    from toolspec.driver.toml_locations import Table
    from toolspec.rules.selection import Setting
    from toolspec.source import Span
    from toolspec.syntax.nodes import JsonObject


@dataclass(frozen=True, slots=True)
class CodeTable:
    """How a table of the configuration selects codes: those of rules, or those of changes.

    `name` is the key of a code in `[[….allow]]`, `key` that of the table of `severities`, of which
    None is off. `check` reports an unknown word at a span; `expand` returns the codes of a pattern.
    """

    name: str
    key: str
    severities: Mapping[str, Severity | None]
    synonyms: Mapping[str, str]
    example: str
    unknown_severity: DiagnosticKind
    check: Callable[[Span, Table, str, str], bool]
    expand: Callable[[str], Iterable[str]] = lambda word: (word,)


_LIMITS = ("tool", "service", "path", "pointer")


def read_allowed(of: Table, code_table: CodeTable) -> Iterator[ConfiguredSuppression]:
    """Yield the suppressions; a table without an existing code is skipped."""
    name = code_table.name
    example = f'{name} = "{code_table.example}"'
    for table in of.tables("allow"):
        table.check_keys((name, "reason", "until", *_LIMITS))
        rule = table.text(name, example).removesuffix("/*")
        reason, until = table.text("reason", 'reason = "the export is bounded"'), _until(table)
        limits = {key: table.texts(key, f'{key} = ["…"]') for key in _LIMITS}
        if not rule and not table.value.get(name):
            _report(table, f"names no {name}", f"add for example `{example}`")
        if not is_reason(reason):
            hint = f"give a reason of at least {LEAST_REASON} characters: `reason = …`"
            _report(
                table,
                problem_of_reason(reason),
                hint,
                *(["reason"] if "reason" in table.value else []),
            )
        if f"{rule}/".startswith(RISKS) and not table.value.get("until"):
            hint = "add an end date: `until = 2027-01-31`"
            _report(table, f"of `{rule}` has no end date", hint, name)
        if rule and code_table.check(table.span(name), table, rule, "suppressed"):
            yield ConfiguredSuppression(rule, reason.strip(), table.span(), until, **limits)


def check_word(span: Span, table: Table, word: str, verb: str) -> bool:
    """Return whether a word is a configurable code or family; else report it at a span."""
    if codes.is_configurable(word):
        return True
    if codes.is_error_only(word):
        table.add(kinds.NOT_SUPPRESSIBLE.at(span, word=word, verb=verb))
        return False
    if problem := codes.load_problem(word):
        family = word.partition("/")[0]
        table.add(kinds.BROKEN_RULES.at(span, family=family, problem=problem))
        return False
    what, hint = "rule" if "/" in word else "rule or family", codes.suggestion(word)
    table.add(kinds.UNKNOWN_RULE.at(span, what=what, word=word, suggestion=hint))
    return False


def _until(table: Table) -> str:
    """Return the end date as text; TOML has a date type."""
    value = table.value.get("until", "")
    if isinstance(value, date) and not isinstance(value, datetime):
        return value.isoformat()
    if value == "" or (isinstance(value, str) and is_day(value)):
        return str(value)
    _report(
        table,
        f"has the invalid end date `{value}`",
        "write `until = 2027-01-31`",
        "until",
    )
    return ""


def _report(table: Table, problem: str, hint: str, *steps: str) -> None:
    span, invalid = table.span(*steps), kinds.BAD_SUPPRESSION
    table.add(invalid.at(span, table=table.name, problem=problem, suggestion=hint))


RULES = CodeTable(
    "rule",
    "severity",
    {**{str(severity): severity for severity in Severity}, presets.OFF: None},
    {"info": "note", "hint": "note", "warn": "warning", "none": "off", "fatal": "error"},
    "schema/any-output",
    kinds.UNKNOWN_SEVERITY,
    check_word,
)
_CHOICES = ("select", "ignore", "severity")
_KEYS = ("preset", *_CHOICES, "options", "allow", "override")
_FAMILY = "/*"


def read_lint(table: Table) -> Lint:
    """Return the settings of a `[lint]` table; invalid ones are left out and reported."""
    table.check_keys(_KEYS)
    preset = _preset(table)
    choice, options = read_choice(table, RULES), dict(_options(table))
    overrides = tuple(_overrides(table))
    allowed = tuple(read_allowed(table, RULES))
    settings: Mapping[str, Setting] = presets.settings(preset)
    words = {word for table_choice in (choice, *_choices(overrides)) for word in table_choice.words}
    installed = codes.installed_rules_of(
        {*words, *options, *(suppression.rule for suppression in allowed)}
    )
    plan = Plan(settings, installed=tuple(installed))
    if choice != Choice() or options or overrides:
        every = {**codes.configurable(), **installed}
        settings = {
            code: replace(
                choice.decide(code, settings.get(code) or codes.unset_setting(code), own),
                options=options.get(code, {}),
            )
            for code, own in every.items()
        }
        plan = Plan(settings, overrides, every if overrides else {}, tuple(installed))
    return Lint(preset, plan, allowed)


def _choices(overrides: Iterable[Override]) -> Iterator[Choice]:
    return (override.choice for override in overrides)


def _preset(table: Table) -> str:
    name = table.text("preset", f'preset = "{presets.DEFAULT}"')
    if not name:
        return presets.DEFAULT
    if name in presets.NAMES:
        return name
    if dated := presets.dated(name):
        table.add(FLOATING.at(table.span("preset"), preset=name, dated=dated))
        return dated
    hint = did_you_mean(name, presets.NAMES)
    table.add(kinds.UNKNOWN_PRESET.at(table.span("preset"), name=name, suggestion=hint))
    return presets.DEFAULT


def read_choice(table: Table, code_table: CodeTable) -> Choice:
    """Return the codes that a table selects and ignores, and their severities."""
    key = code_table.key
    stated = table.value.get(key)
    exact = {
        *(str(word) for each in ("select", "ignore") for word in _listed(table.value.get(each))),
        *(stated if isinstance(stated, dict) else ()),
    }

    def expanded(word: str) -> Iterable[str]:
        """Return the codes of a pattern that are not named beside it, else the word."""
        return (code for code in code_table.expand(word) if code == word or code not in exact)

    select, ignore = (
        frozenset(code for word in _words(table, each, code_table) for code in expanded(word))
        for each in ("select", "ignore")
    )
    example = f'{key} = {{"{code_table.example}" = "note"}}'
    severity = {
        code: value
        for word, value in _severities(table.table(key, example), code_table)
        for code in expanded(word)
    }
    on = select | {word for word, value in severity.items() if value}
    off = ignore | {word for word, value in severity.items() if value is None}
    for word in sorted(on & off):
        at = "ignore" if word in ignore else key
        table.add(kinds.CONFLICT.at(table.key_span(at), word=word))
    return Choice(select, ignore, severity)


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]


def _words(table: Table, key: str, code_table: CodeTable) -> Iterator[str]:
    """Yield the codes and families of a list; `docs/*` is the family `docs`."""
    verb = "turned off" if key == "ignore" else "turned on"
    is_list = isinstance(table.value.get(key), list)
    for index, word in enumerate(table.texts(key, f'{key} = ["{code_table.example}"]')):
        named = word.removesuffix(_FAMILY)
        span = table.span(key, *([index] if is_list else []))
        if code_table.check(span, table, named, verb):
            yield named


def _severities(table: Table, code_table: CodeTable) -> Iterator[tuple[str, Severity | None]]:
    known = code_table.severities
    for word, value in table.value.items():
        named = word.removesuffix(_FAMILY)
        verb = f"given a {code_table.key}"
        is_known = code_table.check(table.key_span(word), table, named, verb)
        if not isinstance(value, str) or value not in known:
            shown = value if isinstance(value, str) else "that is not a string"
            meant = code_table.synonyms.get(shown) or nearest(str(value), known)
            hint = f"did you mean `{meant}`?" if meant else did_you_mean(str(value), known)
            unknown = code_table.unknown_severity
            table.add(unknown.at(table.span(word), word=shown, suggestion=hint))
        elif is_known:
            yield named, known[value]


def _options(table: Table) -> Iterator[tuple[str, JsonObject]]:
    """Yield the valid options of each rule."""
    options = table.table("options", '[lint.options."docs/long-description"]')
    for code in options.value:
        stated = options.table(code, f'[lint.options."{code}"]')
        is_known = codes.is_configurable(code)
        if not codes.is_rule(code):
            hint = codes.suggestion(code)
            if is_known and "/" not in code:
                hint = "options belong to one rule: name it by its code"
            unknown, span = kinds.UNKNOWN_RULE, options.key_span(code)
            options.add(unknown.at(span, what="rule", word=code, suggestion=hint))
        elif stated.value and _has_valid_options(stated, code):
            yield code, dict(stated.value)  # type: ignore[arg-type] # what a schema admits is JSON


def _has_valid_options(table: Table, code: str) -> bool:
    """Return whether options match the rule's schema; report each that does not."""
    declared = engine.find(code).options
    before = len(table.diagnostics)
    for name, value in table.value.items():
        what = f"option `{name}`"
        if name not in declared:
            span, problem = table.key_span(name), "is unknown"
            hint = (
                did_you_mean(name, declared) if declared else "the rule has no options: delete this"
            )
        else:
            hint = f"its default is `{declared[name]['default']}`"
            problem, steps = _option_error(declared[name], value)
            span = table.span(name, *steps)
        if problem:
            invalid = kinds.RULE_OPTION
            table.add(invalid.at(span, what=what, code=code, problem=problem, suggestion=hint))
    return len(table.diagnostics) == before


def _option_error(schema: JsonObject, value: Any) -> tuple[str, tuple[str | int, ...]]:
    """Return why a schema rejects a value, and the path inside it; empty if it accepts."""
    from toolspec.shared.explanation import explained

    try:
        errors = explained(schema, value)
    except ValueError:  # a date, or a number that JSON does not have
        return "is not a JSON value", ()
    return next(((f"is invalid: {e.sentence}", e.path) for e in errors), ("", ()))


def _overrides(lint: Table) -> Iterator[Override]:
    for table in lint.tables("override"):
        table.check_keys(("paths", *_CHOICES))
        paths = table.texts("paths", 'paths = ["specs/legacy/**"]')
        if not paths and "paths" not in table.value:
            table.report_type("paths", "a list of patterns", 'paths = ["specs/legacy/**"]')
        choice = read_choice(table, RULES)
        if paths:
            yield Override(paths, choice)
