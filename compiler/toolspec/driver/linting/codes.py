"""What may be said of a code: that it is a rule, or a warning, or an error that nobody can allow."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity, did_you_mean
from toolspec.rules import engine, installed
from toolspec.rules.selection import Setting
from toolspec.shared.spelling import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def is_rule(code: str) -> bool:
    """Whether a code is that of a rule; of ours, none is loaded."""
    return code in engine.codes() or code in brought(code)


@cache
def weighable() -> Mapping[str, Severity]:
    """Return what can be turned off or given another severity, by its code.

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


def brought(word: str) -> Mapping[str, Severity]:
    """Return the rules of another distribution in the family of a word; none of a family of ours."""
    family = word.partition("/")[0]
    rules = {} if is_ours(family) else installed.family(family).rules
    return {code: rule.kind.severity for code, rule in rules.items()}


def brought_by(words: Iterable[str]) -> Mapping[str, Severity]:
    """Return the rules of other distributions in the families of some words, sorted by code."""
    found = {code: own for word in words for code, own in brought(word).items()}
    return dict(sorted(found.items()))


def trouble(word: str) -> str:
    """Return why the installed family of a word has no rules; empty where it has, or is none."""
    family = word.partition("/")[0]
    return "" if is_ours(family) else installed.family(family).problem


@cache
def is_ours(family: str) -> bool:
    """Whether a family is one of this compiler: then nothing else that is installed counts."""
    from toolspec.driver import manual

    return any(
        code.startswith(f"{family}/") for codes in (engine.codes, manual.kinds) for code in codes()
    )


def unset(code: str) -> Setting:
    """Return what holds of a code that no preset has and no project speaks of."""
    if code in engine.codes():
        return Setting(None, set_by="newer than the preset")
    if code in weighable():
        return Setting(weighable()[code], set_by="always on")
    return Setting(None, set_by="in no preset")


def families() -> tuple[str, ...]:
    """Return the families of what is weighable, sorted."""
    return tuple(sorted({code.partition("/")[0] for code in weighable()}))


def is_fixed(word: str) -> bool:
    """Whether a word is the code or family of errors, and of nothing that is weighable."""
    from toolspec.driver import manual

    return not is_weighable(word) and any(
        word in (code, code.partition("/")[0]) for code in manual.kinds()
    )


def is_weighable(word: str) -> bool:
    """Whether a word is a rule, a warning, or a family with one of these."""
    if word in engine.codes() or word in (weighable() if "/" in word else families()):
        return True
    found = brought(word)
    return word in found or ("/" not in word and bool(found))


def needs_all(word: str) -> bool:
    """Whether a rule, or some rule of a family, finds what it finds in all services together."""
    from toolspec.rules.catalogue import Catalogue

    return any(
        engine.find(code).visits is Catalogue
        for code in (*engine.codes(), *brought(word))
        if word in (code, code.partition("/")[0])
    )


def suggestion(word: str) -> str:
    """Return a hint that names what was most likely meant by an unknown word."""
    if problem := trouble(word):
        return problem
    if "/" not in word:
        close = nearest(word, (*families(), *installed.names()))
        slugs = {code.partition("/")[2]: code for code in weighable()}
        meant = close or slugs.get(nearest(word, slugs), "")
        return f"did you mean `{meant}`?" if meant else did_you_mean(word, families())
    close = nearest(word, (*weighable(), *brought(word)))
    return f"did you mean `{close}`?" if close else "`toolspec rules` lists every rule"
