"""Finds the rules and runs them: one pass over the program, every rule at each thing it visits."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from toolspec import rules
from toolspec.diagnostics import Subject
from toolspec.ir import Service
from toolspec.ir.partial import partial_service, unless_broken, with_partial_tools
from toolspec.providers.offers import Offers
from toolspec.rules.catalogue import Catalogue, facts
from toolspec.rules.loading import load, modules
from toolspec.rules.offers import OffersVisit
from toolspec.rules.rule import VISITS
from toolspec.rules.selection import Plan
from toolspec.rules.visits import (
    DocumentVisit,
    SchemaVisit,
    ToolVisit,
    documents,
    schemas,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from toolspec.diagnostics import Diagnostic
    from toolspec.ir import Program, Tool
    from toolspec.rules.rule import Part, Rule, Visit

    Check = Callable[[Visit], Iterator[Diagnostic]]


@cache
def codes() -> tuple[str, ...]:
    """Return the code of every rule below this package, sorted; no rule is imported."""
    return tuple(sorted(_modules()))


@cache
def find(code: str) -> Rule:
    """Return the rule of a code, built in or installed. Raises KeyError for one that there is not.

    A module of ours that cannot be imported or is no rule raises: a rule that is silently missing
    would look like a clean program.
    """
    if module := _modules().get(code):
        return load(import_module(module), code)
    from toolspec.rules import installed

    return installed.find(code)


def all_rules() -> tuple[Rule, ...]:
    """Return every rule below this package, sorted by code."""
    return tuple(map(find, codes()))


@cache
def _modules() -> dict[str, str]:
    """Return the module of each rule by its code: a module of a family is one."""
    return {
        code: module
        for family in pkgutil.iter_modules(rules.__path__)
        if family.ispkg
        for code, module in modules(
            family.name, f"{rules.__name__}.{family.name}", [f"{rules.__path__[0]}/{family.name}"]
        ).items()
    }


def run(
    program: Program, plan: Plan | None = None, targets: Sequence[str] = ()
) -> tuple[Diagnostic, ...]:
    """Return what the rules of a plan find in a program that is built for some targets."""
    plan = plan or Plan()
    offers = Offers(targets)
    found = run_services(program.services, plan=plan, offers=offers)
    known = {each.document.source.path: each.document for each in documents(program.services)}
    services = tuple(facts(service, offers) for service in program.services)
    catalogue = Catalogue(services, known.get, tuple(targets))
    return (*found, *run_catalogue(catalogue, plan))


def run_services(
    services: Sequence[Service], *, plan: Plan, offers: Offers | None = None
) -> tuple[Diagnostic, ...]:
    """Return what the rules find that look at one service at a time.

    A rule that asks for a part of the service that is broken says nothing there.
    """
    checks = _checks(plan)
    return tuple(
        _about(found, visit)
        for visit in _everything(services, checks, offers)
        for check in checks[Service if isinstance(visit, Service) else type(visit)]
        for found in _intact(unless_broken(check(visit)), visit)
    )


def run_catalogue(catalogue: Catalogue, plan: Plan) -> tuple[Diagnostic, ...]:
    """Return what the rules find that look at all services together."""
    return tuple(found for check in _checks(plan)[Catalogue] for found in check(catalogue))


def _chosen(plan: Plan) -> Iterable[Rule]:
    return (find(code) for code in (*codes(), *plan.installed) if plan.runs(code))


def _checks(plan: Plan) -> dict[type[Visit], list[Check]]:
    """Return the checks of a plan by what they visit, each with its options."""
    checks: dict[type[Visit], list[Check]] = {visits: [] for visits in VISITS}
    for rule in _chosen(plan):
        checks[rule.visits].append(rule.bound(plan.options(rule.code)))
    return checks


def _everything(
    services: Sequence[Service], checks: dict[type[Visit], list[Check]], offers: Offers | None
) -> Iterator[Part]:
    """Yield what there is to visit, as far as a rule visits it."""
    services = tuple(map(with_partial_tools, services))
    for service in services:
        partial = partial_service(service)
        yield partial
        for tool in service.tools:
            yield ToolVisit(partial, tool)
            if offers and offers.profiles and checks[OffersVisit] and can_be_sent(tool):
                yield OffersVisit(partial, tool, tuple(offers.of(tool)))
        if checks[SchemaVisit]:
            yield from schemas(service)
    if checks[DocumentVisit]:
        yield from documents(services)


_SENT = frozenset({"name", "names", "description", "input", "arguments", "output", "chunk"})


def can_be_sent(tool: Tool) -> bool:
    """Whether a tool can be made to fit a provider: nothing that is sent of it is broken."""
    if not tool.broken.isdisjoint(_SENT):
        return False
    schemas = (tool.input, tool.output, *((tool.chunk,) if tool.chunk else ()))
    return all(each.broken == () for each in schemas)


def _intact(found: Iterable[Diagnostic], visit: Part) -> Iterator[Diagnostic]:
    """Yield what was found elsewhere than in the subschemas that have an error already."""
    if not isinstance(visit, SchemaVisit) or not visit.schema.broken or not visit.schema.place:
        yield from found
        return
    place = visit.schema.place
    broken = [place.at(*path).pointer for path in visit.schema.broken]
    for each in found:
        intact = [part for part in each.parts or (each,) if not _lies_below(part, broken)]
        yield from (each,) if len(intact) == len(each.parts or (each,)) else intact


def _lies_below(found: Diagnostic, pointers: Iterable[str]) -> bool:
    at = found.subject.pointer
    return any(at == each or at.startswith(f"{each}/") for each in pointers)


def _about(found: Diagnostic, visit: Part) -> Diagnostic:
    """Return a finding with what its rule did not say of its subject."""
    if isinstance(visit, Service):
        subject = Subject("" if "name" in visit.broken else visit.name)
    else:
        subject = visit.subject
    return found.about(service=subject.service, tool=subject.tool, pointer=subject.pointer)
