"""Lint engine: discovers the rules and runs them in one pass over the program."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from itertools import accumulate
from typing import TYPE_CHECKING

from toolspec import rules
from toolspec.diagnostics import Subject
from toolspec.ir import Service
from toolspec.ir.partial import BrokenFieldError, partial_service, with_partial_tools
from toolspec.providers.lowered_tools import LoweredTools
from toolspec.rules.facts import ProjectFacts, service_facts
from toolspec.rules.lowered_visit import LoweredVisit
from toolspec.rules.rule import VISITS, load, modules
from toolspec.rules.selection import Plan
from toolspec.rules.visits import (
    DocumentVisit,
    SchemaVisit,
    ToolNames,
    ToolVisit,
    documents,
    schemas,
)
from toolspec.shared.packages import subpackages

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
    """Return the rule of a code, built in or installed. Raises KeyError for an unknown one.

    A built-in module that cannot be imported or is not a rule raises: a rule that is silently missing
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
    """Return the module of each rule by its code; every module of a family is a rule."""
    return {
        code: module
        for family in subpackages(rules.__path__)
        for code, module in modules(
            family, f"{rules.__name__}.{family}", [f"{rules.__path__[0]}/{family}"]
        ).items()
    }


def run(
    program: Program, plan: Plan | None = None, targets: Sequence[str] = ()
) -> tuple[Diagnostic, ...]:
    """Return the diagnostics of a plan's rules for a program and its targets."""
    plan = plan or Plan()
    lowered_tools = LoweredTools(targets)
    diagnostics = run_services(program.services, plan=plan, lowered_tools=lowered_tools)
    by_path = {
        document.document.source.path: document.document for document in documents(program.services)
    }
    services = tuple(service_facts(service, lowered_tools) for service in program.services)
    sources = {path: document.source for path, document in by_path.items()}
    project = ProjectFacts(services, by_path.get, sources.get, tuple(targets))
    return (*diagnostics, *run_project(project, plan))


def run_services(
    services: Sequence[Service], *, plan: Plan, lowered_tools: LoweredTools | None = None
) -> tuple[Diagnostic, ...]:
    """Return the diagnostics of rules about single services.

    A rule that reads a broken field of the service reports nothing there.
    """
    checks = _Checks(plan)
    diagnostics: list[Diagnostic] = []
    for visit in _everything(services, checks, lowered_tools):
        broken: frozenset[str] | None = (
            None  # few schemas have an error, and few of them diagnostics
        )
        for check in checks.of(visit):
            try:
                for diagnostic in check(visit):
                    broken = _broken_pointers(visit) if broken is None else broken
                    intact = _intact(diagnostic, broken) if broken else (diagnostic,)
                    diagnostics += (_about(part, visit) for part in intact)
            except BrokenFieldError:
                continue
    return tuple(diagnostics)


def run_project(project: ProjectFacts, plan: Plan) -> tuple[Diagnostic, ...]:
    """Return the diagnostics of rules about all services together."""
    return tuple(
        diagnostic for check in _Checks(plan).every(ProjectFacts) for diagnostic in check(project)
    )


def _chosen(plan: Plan) -> Iterable[Rule]:
    return (find(code) for code in (*codes(), *plan.installed) if plan.runs(code))


class _Checks:
    """The checks of a plan by visited type, each with its options."""

    def __init__(self, plan: Plan) -> None:
        self._checks: dict[type[Visit], list[Check]] = {visits: [] for visits in VISITS}
        self._of_schemas: list[tuple[frozenset[str], Check]] = []
        for rule in _chosen(plan):
            check = rule.bound(plan.options(rule.code))
            self._checks[rule.visits].append(check)
            if rule.visits is SchemaVisit:
                self._of_schemas.append((rule.keywords, check))
        self._keywords = frozenset().union(*(words for words, _ in self._of_schemas))
        # Most schemas of a program use one of a few sets of keywords.
        self._by_keywords: dict[frozenset[str], list[Check]] = {}

    def every(self, visits: type[Visit]) -> list[Check]:
        """Return all checks for a visited type."""
        return self._checks[visits]

    def of(self, visit: Part) -> list[Check]:
        """Return the checks that may report something at a visit."""
        if not isinstance(visit, SchemaVisit):
            return self._checks[Service if isinstance(visit, Service) else type(visit)]
        keywords_used = self._keywords.intersection(visit.survey.uses)
        checks = self._by_keywords.get(keywords_used)
        if checks is None:
            checks = self._by_keywords[keywords_used] = [
                check
                for keywords, check in self._of_schemas
                if not keywords or not keywords_used.isdisjoint(keywords)
            ]
        return checks


def _everything(
    services: Sequence[Service], checks: _Checks, lowered_tools: LoweredTools | None
) -> Iterator[Part]:
    """Yield the visits that have rules."""
    services = tuple(map(with_partial_tools, services))
    for service in services:
        partial = partial_service(service)
        yield partial
        names = ToolNames(partial)
        for tool in service.tools:
            yield ToolVisit(partial, tool, names)
            if (
                lowered_tools
                and lowered_tools.profiles
                and checks.every(LoweredVisit)
                and can_be_sent(tool)
            ):
                yield LoweredVisit(partial, tool, names, tuple(lowered_tools.of(tool)))
        if checks.every(SchemaVisit):
            yield from schemas(service)
    if checks.every(DocumentVisit):
        yield from documents(services)


_LOWERED = frozenset(
    {"name", "names", "description", "input", "arguments", "output", "chunk", "formats"}
)


def can_be_sent(tool: Tool) -> bool:
    """Return whether a tool can be lowered: no part that lowering reads is broken."""
    if not tool.broken.isdisjoint(_LOWERED):
        return False
    schemas = (tool.input, tool.output, *((tool.chunk,) if tool.chunk else ()))
    return all(schema.broken == () for schema in schemas)


def _broken_pointers(visit: Part) -> frozenset[str]:
    """Return the pointers of the subschemas of a visited schema that have an error already."""
    if not isinstance(visit, SchemaVisit) or not visit.schema.broken or not visit.schema.location:
        return frozenset()
    location = visit.schema.location
    return frozenset(location.at(*path).pointer for path in visit.schema.broken)


def _intact(diagnostic: Diagnostic, broken: frozenset[str]) -> Iterable[Diagnostic]:
    """Return a diagnostic without its parts at or below some pointers."""
    parts = diagnostic.parts or (diagnostic,)
    intact = [part for part in parts if not _lies_below(part, broken)]
    return (diagnostic,) if len(intact) == len(parts) else intact


def _lies_below(diagnostic: Diagnostic, pointers: frozenset[str]) -> bool:
    above = accumulate(diagnostic.subject.pointer.split("/"), "{}/{}".format)
    return not pointers.isdisjoint(above)


def _about(diagnostic: Diagnostic, visit: Part) -> Diagnostic:
    """Return a diagnostic with the missing parts of its subject filled in."""
    if isinstance(visit, Service):
        subject = Subject("" if "name" in visit.broken else visit.name)
    else:
        subject = visit.subject
    return diagnostic.about(service=subject.service, tool=subject.tool, pointer=subject.pointer)
