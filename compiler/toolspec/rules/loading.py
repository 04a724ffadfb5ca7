"""Loader of rules: each module of a family's package is one."""

from __future__ import annotations

from pkgutil import iter_modules
from typing import TYPE_CHECKING

from toolspec.diagnostics import DiagnosticKind
from toolspec.rules.rule import VISITS, Rule
from toolspec.rules.visits import SchemaVisit

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import ModuleType


def modules(family: str, package: str, folders: Iterable[str]) -> dict[str, str]:
    """Return the module names of a family's rules by code; none is imported."""
    return {
        f"{family}/{iter_module.name.replace('_', '-')}": f"{package}.{iter_module.name}"
        for iter_module in iter_modules(folders)
    }


def load(module: ModuleType, code: str) -> Rule:
    """Return the rule that a module declares with `KIND`, `VISITS` and `check`; else TypeError.

    Optional are `OPTIONS` and, for a rule of schemas, the `KEYWORDS` without which it finds
    nothing.
    """
    kind, visits = getattr(module, "KIND", None), getattr(module, "VISITS", None)
    check, options = getattr(module, "check", None), getattr(module, "OPTIONS", {})
    keywords = frozenset(getattr(module, "KEYWORDS", ()))
    if (
        isinstance(kind, DiagnosticKind)
        and kind.code == code
        and visits in VISITS
        and callable(check)
        and all("default" in schema for schema in options.values())
        and (not keywords or visits is SchemaVisit)
    ):
        return Rule(kind, visits, check, module.__doc__ or "", options, keywords)
    message = (
        f"{module.__name__} is no rule `{code}`: it needs KIND of this code, VISITS and check()"
    )
    raise TypeError(message)
