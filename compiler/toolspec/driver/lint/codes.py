"""Classification of codes: rules, warnings, and errors that cannot be suppressed."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from toolspec.changes import catalogue
from toolspec.diagnostics import Severity, did_you_mean
from toolspec.rules import engine, installed
from toolspec.rules.selection import Setting
from toolspec.shared.spelling import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def is_rule(code: str) -> bool:
    """Return whether a code is that of a rule; built-in rules are not imported for this."""
    return code in engine.codes() or code in installed_rules(code)


@cache
def configurable() -> Mapping[str, Severity]:
    """Return the codes whose severity can be configured, with their defaults.

    These are the rules, the warnings about documents, and the few errors that leave a schema sound.
    """
    from toolspec.frontend.kinds import KINDS as FRONTEND
    from toolspec.frontend.naming.kinds import KINDS as NAMING
    from toolspec.schema.kinds import KINDS as SCHEMA
    from toolspec.syntax.kinds import KINDS as SYNTAX
    from toolspec.targets import discovery

    targets = (kind for target in discovery.built_in() for kind in target.kinds)
    others = (*SYNTAX, *SCHEMA, *FRONTEND, *NAMING, *targets)
    opinions = [kind for kind in others if kind.is_rule or kind.severity is not Severity.ERROR]
    every = (*opinions, *(rule.kind for rule in engine.all_rules()))
    return {kind.code: kind.severity for kind in sorted(every, key=lambda kind: kind.code)}


def installed_rules(word: str) -> Mapping[str, Severity]:
    """Return installed rules in the family of a word; empty for a built-in family."""
    family = word.partition("/")[0]
    rules = {} if is_built_in_family(family) else installed.family(family).rules
    return {code: rule.kind.severity for code, rule in rules.items()}


def installed_rules_of(words: Iterable[str]) -> Mapping[str, Severity]:
    """Return installed rules in the families of some words, sorted by code."""
    severities = {code: own for word in words for code, own in installed_rules(word).items()}
    return dict(sorted(severities.items()))


def load_problem(word: str) -> str:
    """Return why an installed family has no rules, or an empty text."""
    family = word.partition("/")[0]
    return "" if is_built_in_family(family) else installed.family(family).problem


@cache
def is_built_in_family(family: str) -> bool:
    """Return whether a family is built in, which no installed distribution can extend."""
    from toolspec.driver import manual

    return any(
        code.startswith(f"{family}/") for codes in (engine.codes, manual.kinds) for code in codes()
    )


def unset_setting(code: str) -> Setting:
    """Return the setting of a code that neither a preset nor the project configures."""
    if code in engine.codes():
        return Setting(None, set_by="newer than the preset")
    if code in configurable():
        return Setting(configurable()[code], set_by="always on")
    return Setting(None, set_by="in no preset")


def families() -> tuple[str, ...]:
    """Return the families of configurable codes, sorted."""
    return tuple(sorted({code.partition("/")[0] for code in configurable()}))


def is_error_only(word: str) -> bool:
    """Return whether a word is the code or family of errors only."""
    from toolspec.driver import manual

    return not is_configurable(word) and any(
        word in (code, code.partition("/")[0]) for code in manual.kinds()
    )


def is_configurable(word: str) -> bool:
    """Return whether a word is a rule, a warning, or a family with one of these."""
    if word in engine.codes() or word in (configurable() if "/" in word else families()):
        return True
    installed_codes = installed_rules(word)
    return word in installed_codes or ("/" not in word and bool(installed_codes))


def is_change(word: str) -> bool:
    """Return whether a word is a kind or family of changes and configures no rule."""
    return not is_configurable(word) and word in (*catalogue.modules(), *catalogue.families())


def needs_all_services(word: str) -> bool:
    """Return whether a rule, or a rule of a family, needs all services together."""
    from toolspec.rules.facts import ProjectFacts

    return any(
        engine.find(code).visits is ProjectFacts
        for code in (*engine.codes(), *installed_rules(word))
        if word in (code, code.partition("/")[0])
    )


def suggestion(word: str) -> str:
    """Return a hint that suggests a known word for an unknown one."""
    if problem := load_problem(word):
        return problem
    if "/" not in word:
        close = nearest(word, (*families(), *installed.names()))
        slugs = {code.partition("/")[2]: code for code in configurable()}
        meant = close or slugs.get(nearest(word, slugs), "")
        return f"did you mean `{meant}`?" if meant else did_you_mean(word, families())
    close = nearest(word, (*configurable(), *installed_rules(word), *catalogue.modules()))
    return f"did you mean `{close}`?" if close else "`toolspec rules` lists every rule"
