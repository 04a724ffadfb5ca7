"""The compiler pipeline: sources to documents, to a program, to artifacts. Writes nothing."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from toolspec.diagnostics import Checked, Severity
from toolspec.frontend import bind, includes, naming, normalise, resolve, shape
from toolspec.providers.lowered_tools import LoweredTools
from toolspec.rules import engine
from toolspec.rules.catalogue import Catalogue
from toolspec.rules.selection import Plan
from toolspec.shared.records import replace
from toolspec.sinks.json_text import JsonSerializer
from toolspec.source import SourceFile
from toolspec.targets.target import EmitContext

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from toolspec.diagnostics import Diagnostic
    from toolspec.driver.config import Config
    from toolspec.driver.workspace import Workspace
    from toolspec.ir import Program, Service, Tool
    from toolspec.rules.catalogue import ServiceFacts
    from toolspec.syntax.nodes import Document
    from toolspec.targets.target import Artifact, Target

    Progress = Callable[[str], None]

    Judge = Callable[[Sequence[Service]], Iterable[Diagnostic]]


T = TypeVar("T")

# A document with one of these keys is a service; all others are parts of one.
_SERVICE_KEYS = frozenset({"toolspec", "service"})
_every_rule = partial(engine.run_services, plan=Plan())


@dataclass(frozen=True, slots=True)
class Emission:
    """Artifacts of one target."""

    target: str
    artifacts: tuple[Artifact, ...]


def analyse(
    workspace: Workspace,
    names: Iterable[str],
    separator: str,
    progress: Progress,
    judge: Judge | None = None,
) -> Checked[Program]:
    """Return the program of some documents with every diagnostic, in the order of a report.

    Whatever has an error is left out of later stages: a tool, a member of one, a definition; the
    rest is checked to the end. Unused files are only reported if every service could be read. Rules
    about all services are not run: `judge_together` does that. Without a judge, all others are.
    `intact` returns the part of the program from which artifacts can be made.
    """
    found: list[Diagnostic] = []
    services: list[Service] = []
    parts: list[Document] = []
    is_whole = True
    for name in names:
        progress(name)
        parsed = workspace.document(name)
        found += parsed.diagnostics
        if parsed.value is None:
            is_whole = False
        elif not is_service(parsed.value):
            parts.append(parsed.value)
        elif service := read_service(parsed.value, parsed.diagnostics, workspace, separator, found):
            services.append(service)
            is_whole &= "tools" not in service.broken and "definitions" not in service.broken
        else:
            is_whole = False
    if is_whole:
        found += _strays(parts, workspace)
    program = _keep(naming.name_program(services, separator), found)
    found += (judge or _every_rule)(program.services)
    return Checked(program, in_order(found))


def judge_alone(config: Config, lowered_tools: LoweredTools) -> Judge:
    """Return a function that runs the rules about one service at a time."""
    return partial(engine.run_services, plan=config.lint.plan, lowered_tools=lowered_tools)


def judge_together(
    services: Iterable[ServiceFacts], workspace: Workspace, config: Config, *, is_whole: bool
) -> tuple[Diagnostic, ...]:
    """Return the diagnostics of rules about all services of a build together.

    `is_whole` says that these are all of the project's.
    """

    def document(name: str) -> Document | None:
        return workspace.document(name).value

    catalogue = Catalogue(tuple(services), document, config.targets, is_whole)
    return engine.run_catalogue(catalogue, config.lint.plan)


def check_targets(
    program: Program, config: Config, targets: Iterable[Target], lowered_tools: LoweredTools
) -> tuple[Diagnostic, ...]:
    """Return diagnostics for everything in a program that a target cannot express."""
    return tuple(
        diagnostic
        for target, context in contexts(config, targets, lowered_tools)
        for service in program.services
        for diagnostic in target.check_service(service, context)
    )


def emit(
    program: Program,
    config: Config,
    targets: Iterable[Target],
    progress: Progress,
    lowered_tools: LoweredTools,
) -> Checked[tuple[Emission, ...]]:
    """Return the artifacts of every target, with the targets' diagnostics."""
    found: list[Diagnostic] = []
    emissions: list[Emission] = []
    for target, context in contexts(config, targets, lowered_tools):
        progress(target.name)
        outputs = [target.emit_service(service, context) for service in program.services]
        project = _keep(target.emit_project([each.note for each in outputs], context), found)
        artifacts = [artifact for each in outputs for artifact in each.artifacts]
        found += (diagnostic for each in outputs for diagnostic in each.diagnostics)
        emissions.append(Emission(target.name, (*artifacts, *project)))
    return Checked(tuple(emissions), tuple(found))


def contexts(
    config: Config, targets: Iterable[Target], lowered_tools: LoweredTools
) -> Iterator[tuple[Target, EmitContext]]:
    """Yield each target with its context."""
    serializer = JsonSerializer()
    for target in targets:
        yield target, context_of(target, config, serializer, lowered_tools)


def context_of(
    target: Target,
    config: Config,
    serializer: JsonSerializer | None = None,
    lowered_tools: LoweredTools | None = None,
) -> EmitContext:
    """Return the context of a target."""
    texts = config.templates.get(target.name, {})
    return EmitContext(
        config.options_of(target.name),
        config.separator,
        serializer or JsonSerializer(),
        lowered_tools or LoweredTools(),
        tuple(SourceFile(path, text) for path, text in texts.items()),
    )


def in_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return diagnostics without duplicates, in the order of a report."""
    once: dict[object, Diagnostic] = {}
    for each in diagnostics:
        once.setdefault(each.identity, each)
    return tuple(sorted(once.values(), key=lambda each: each.order))


def read_service(
    document: Document,
    syntax: tuple[Diagnostic, ...],
    files: Workspace,
    separator: str,
    found: list[Diagnostic],
) -> Service | None:
    """Return the valid part of a document's service, or None."""
    shaped = _keep(shape.review(document, shape.Form.SERVICE, syntax), found)
    unit = _keep(includes.expand(shaped or document, files), found)
    if shaped is None:
        return None
    later: list[Diagnostic] = []
    service = _keep(bind.bind(unit, separator, files.project.config.formats), later)
    service = _keep(resolve.resolve(service, files), later)
    for derive in normalise.PASSES:
        service = _keep(derive(service), later)
    errors = [each for each in syntax if each.severity is Severity.ERROR]
    found += (each for each in later if not shape.lies_in(each, errors)) if errors else later
    return service


def intact(program: Program, *, is_sent: bool = False) -> Program:
    """Return a program without the services and tools that have an error in their shape.

    With `is_sent` also without those with an error in their schemas, which cannot be lowered for a
    provider.
    """
    services = tuple(
        replace(service, tools=tools)
        if len(tools := tuple(_intact_tools(service, is_sent=is_sent))) < len(service.tools)
        else service
        for service in program.services
        if "name" not in service.broken
    )
    return replace(program, services=services)


def _intact_tools(service: Service, *, is_sent: bool) -> Iterator[Tool]:
    for tool in service.tools:
        if not tool.broken and (not is_sent or engine.can_be_sent(tool)):
            yield tool


def _strays(parts: Iterable[Document], files: Workspace) -> Iterator[Diagnostic]:
    """Yield diagnostics for files that are not services and that no service uses."""
    for part in parts:
        if part.source.path not in files.used:
            yield from shape.check(part, shape.Form.SERVICE)


def is_service(document: Document) -> bool:
    """Return whether a document declares itself a service; any other may be a part of one."""
    return isinstance(document.value, dict) and not _SERVICE_KEYS.isdisjoint(document.value)


def _keep(checked: Checked[T], found: list[Diagnostic]) -> T:
    """Return a stage's value and add its diagnostics."""
    found += checked.diagnostics
    return checked.value
