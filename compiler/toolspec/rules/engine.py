"""Finds the rules and runs them: one pass over the program, every rule at each thing it visits."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from toolspec import rules
from toolspec.diagnostics import DiagnosticKind
from toolspec.ir import Program, Service
from toolspec.rules.rule import VISITS, Rule, read_manual
from toolspec.rules.visits import DocumentVisit, ToolVisit, documents

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import ModuleType

    from toolspec.diagnostics import Diagnostic


@cache
def all_rules() -> tuple[Rule, ...]:
    """Return every rule below this package, sorted by code.

    A module that cannot be imported or is no rule raises: a rule that is silently missing would
    look like a clean program.
    """
    prefix = f"{rules.__name__}."
    modules = sorted(
        module.name
        for module in pkgutil.walk_packages(rules.__path__, prefix)
        if module.name.count(".") > prefix.count(".") and not module.ispkg
    )
    return tuple(load(import_module(name)) for name in modules)


def load(module: ModuleType) -> Rule:
    """Return the rule that a module declares with `KIND`, `VISITS` and `check`; else TypeError."""
    kind, visits = getattr(module, "KIND", None), getattr(module, "VISITS", None)
    check = getattr(module, "check", None)
    family, slug = module.__name__.split(".")[-2:]
    if (
        isinstance(kind, DiagnosticKind)
        and kind.code == f"{family}/{slug.replace('_', '-')}"
        and visits in VISITS
        and callable(check)
    ):
        return Rule(kind, visits, check, read_manual(module.__doc__))
    message = f"{module.__name__} is no rule: it needs KIND of its own place, VISITS and check()"
    raise TypeError(message)


def run(program: Program, chosen: Sequence[Rule] | None = None) -> tuple[Diagnostic, ...]:
    """Return what the rules find in a program: all rules, or the chosen ones."""
    return tuple(_visit(program, all_rules() if chosen is None else chosen))


def _visit(program: Program, chosen: Sequence[Rule]) -> Iterator[Diagnostic]:
    checks = {visits: [rule.check for rule in chosen if rule.visits is visits] for visits in VISITS}
    for visit in _everything(program):
        for check in checks[type(visit)]:
            for found in check(visit):
                yield _about(found, visit)


def _everything(program: Program) -> Iterator[Program | Service | ToolVisit | DocumentVisit]:
    yield program
    for service in program.services:
        yield service
        for tool in service.tools:
            yield ToolVisit(service, tool)
    yield from documents(program)


def _about(found: Diagnostic, visit: Program | Service | ToolVisit | DocumentVisit) -> Diagnostic:
    match visit:
        case ToolVisit(service, tool):
            pointer = tool.place.pointer if tool.place else ""
            return found.about(service=service.name, tool=tool.names.full, pointer=pointer)
        case Service():
            return found.about(service=visit.name)
        case DocumentVisit(service):
            return found.about(service=service.name)
        case Program():
            return found
