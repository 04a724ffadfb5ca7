"""Analyses one document: a pure function of its name and files, which may run in any process."""

from __future__ import annotations

from itertools import starmap
from typing import TYPE_CHECKING, TypeVar

from toolspec.diagnostics import Severity
from toolspec.driver.held import Compressed, Plain, as_it_is
from toolspec.driver.lint.suppressions import has_unsuppressed_errors
from toolspec.driver.service_summary import summarize, summary_from_json, summary_to_json
from toolspec.driver.workspace import Workspace, reader
from toolspec.frontend import bind, includes, naming, normalise, resolve, shape
from toolspec.providers.lowered_tools import LoweredTools
from toolspec.providers.profile import find_profile
from toolspec.rules import engine
from toolspec.rules.facts import facts_from_json, facts_to_json, service_facts
from toolspec.shared.records import dataclass, field, replace
from toolspec.sinks.json_text import JsonSerializer
from toolspec.source import SourceFile
from toolspec.targets import discovery
from toolspec.targets.target import EmitContext

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from toolspec.diagnostics import Checked, Diagnostic
    from toolspec.driver.config import Config, Project
    from toolspec.driver.held import Held
    from toolspec.driver.output import File
    from toolspec.driver.service_summary import ServiceSummary
    from toolspec.driver.workspace import FileSnapshot, ParsedFile
    from toolspec.frontend.allow_syntax.parsed import DocumentSuppression
    from toolspec.ir import Program, Service, Tool
    from toolspec.rules.facts import ServiceFacts
    from toolspec.syntax.nodes import Document, JsonObject
    from toolspec.targets.target import Target

T = TypeVar("T")

# A document with one of these keys is a service; all others are parts of one.
_SERVICE_KEYS = frozenset({"toolspec", "service"})


@dataclass(frozen=True, slots=True)
class AnalysisTask:
    """A document to analyse, and its files that were read already.

    With `emits` the analysis has the files that the targets make of a service without errors; with
    `has_service` it has the service itself, which is large.
    """

    project: Project
    name: str
    snapshots: Mapping[str, FileSnapshot] = field(default_factory=dict, repr=False)
    emits: bool = False
    has_service: bool = False


@dataclass(frozen=True, slots=True)
class Inputs:
    """Inputs of an analysis: digests of files by name, matches of patterns, fingerprints."""

    files: Mapping[str, str]
    patterns: Mapping[str, tuple[str, ...]]
    fingerprints: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Analysis:
    """Analysis of one document: everything that linking and emitting need of it.

    Severities and suppressions are not applied to its diagnostics yet: that needs those of all
    documents. `is_part` means that it is not a service, `is_complete` that all of its tools and
    definitions could be read, `has_errors` that they have an error that cannot be suppressed.
    `claims` are the names that no other service may have (`frontend.naming.claims`). `summary` and
    `facts` are about the tools without errors. `notes` and `files` are by target, and only of a
    service without errors.
    """

    name: str
    inputs: Inputs
    diagnostics: tuple[Diagnostic, ...] = ()
    suppressions: tuple[DocumentSuppression, ...] = ()
    is_part: bool = False
    is_complete: bool = False
    has_errors: bool = False
    service_name: str = ""
    claims: Held[Sequence[str]] = Plain(())
    summary: Held[ServiceSummary] | None = None
    facts: Held[ServiceFacts] | None = None
    notes: Mapping[str, Held[JsonObject]] = field(default_factory=dict)
    files: tuple[File, ...] = ()
    service: Service | None = None

    def compressed(self) -> Analysis:
        """Return this analysis for a build of many: what linking and emitting read is compressed."""
        summary, facts = self.summary, self.facts
        return replace(
            self,
            claims=Compressed(self.claims.value(), as_it_is),
            summary=summary and Compressed(summary_to_json(summary.value()), summary_from_json),
            facts=facts and Compressed(facts_to_json(facts.value()), facts_from_json),
            notes={
                target: Compressed(note.value(), as_it_is) for target, note in self.notes.items()
            },
        )

    def decoded(self) -> Analysis:
        """Return this analysis with nothing compressed, for a process that reads it repeatedly."""
        return replace(
            self,
            claims=Plain(self.claims.value()),
            summary=self.summary and Plain(self.summary.value()),
            facts=self.facts and Plain(self.facts.value()),
            notes={target: Plain(note.value()) for target, note in self.notes.items()},
        )


def analyse(task: AnalysisTask, parsed: dict[str, ParsedFile] | None = None) -> Analysis:
    """Return the analysis of a document with every diagnostic about it alone.

    Whatever has an error is left out of later stages: a tool, a member of one, a definition; the
    rest is checked to the end. `parsed` are files that analyses in one process share.
    """
    workspace = Workspace(task.project, task.snapshots, parsed)
    inputs = Inputs(workspace.digests, workspace.patterns, workspace.fingerprints)
    document = workspace.document(task.name)
    if document.value is None or not is_service(document.value):
        is_part = document.value is not None
        diagnostics = [*document.diagnostics, *workspace.diagnostics]
        return Analysis(
            task.name,
            inputs,
            tuple(diagnostics),
            tuple(workspace.suppressions),
            is_part=is_part,
            is_complete=is_part,
            has_errors=has_unsuppressed_errors(document.diagnostics),
        )
    config = task.project.config
    lowered_tools = LoweredTools(config.targets, config.declared)
    diagnostics = list(document.diagnostics)
    service = read_service(document.value, document.diagnostics, workspace, diagnostics)
    named = _keep(naming.name_program([service] if service else [], config.separator), diagnostics)
    diagnostics += engine.run_services(
        named.services, plan=config.lint.plan, lowered_tools=lowered_tools
    )
    has_errors = has_unsuppressed_errors(diagnostics)
    program = intact(named)
    # A tool with an error in its schemas cannot be lowered for a provider.
    sendable = intact(program, is_sent=True) if has_errors else program
    targets = tuple(_targets(config, lowered_tools))
    for target, context in targets:
        for checked in (sendable if find_profile(target.name) else program).services:
            diagnostics += target.check_service(checked, context)
    diagnostics += workspace.diagnostics
    notes: dict[str, Held[JsonObject]] = {}
    files: list[File] = []
    if task.emits and not has_unsuppressed_errors(diagnostics):
        from toolspec.driver.output import files_of  # `toolspec check` writes nothing

        (sound,) = program.services
        for target, context in targets:
            emission = target.emit_service(sound, context)
            notes[target.name] = Plain(emission.note)
            files += files_of(target.name, emission.artifacts)
            diagnostics += emission.diagnostics
    first = next(iter(named.services), None)
    sent = next(iter(sendable.services), None)
    summary = summarize(sent, lowered_tools) if sent else None
    facts = service_facts(sent, lowered_tools) if sent else None
    analysis = Analysis(
        task.name,
        inputs,
        tuple(diagnostics),
        tuple(workspace.suppressions),
        is_complete=service is not None and service.broken.isdisjoint(("tools", "definitions")),
        has_errors=has_errors,
        service_name=first.name if first else "",
        claims=Plain(naming.claims(first) if first else ()),
        summary=Plain(summary) if summary else None,
        facts=Plain(facts) if facts else None,
        notes=notes,
        files=tuple(files),
        service=first if task.has_service else None,
    )
    snapshot = task.snapshots.get(task.name)
    if not task.has_service and (snapshot is None or snapshot.fingerprint):
        # Diagnostics keep the file.
        source = document.value.source
        source.release(reader(task.project.root, task.name, workspace.digests[task.name]))
    return analysis


def _targets(config: Config, lowered_tools: LoweredTools) -> Iterator[tuple[Target, EmitContext]]:
    serializer = JsonSerializer()
    for name in dict.fromkeys(config.targets):
        if target := discovery.find(name):
            yield target, context_of(target, config, serializer, lowered_tools)


def context_of(
    target: Target,
    config: Config,
    serializer: JsonSerializer | None = None,
    lowered_tools: LoweredTools | None = None,
) -> EmitContext:
    """Return the context of a target."""
    return EmitContext(
        config.options_of(target.name),
        config.separator,
        serializer or JsonSerializer(),
        lowered_tools or LoweredTools(),
        tuple(starmap(SourceFile, config.templates.get(target.name, {}).items())),
        config.contract,
        config.files.get(target.name, ()),
    )


def read_service(
    document: Document,
    syntax: tuple[Diagnostic, ...],
    workspace: Workspace,
    diagnostics: list[Diagnostic],
) -> Service | None:
    """Return the valid part of a document's service, or None."""
    config = workspace.project.config
    shaped = _keep(shape.review(document, shape.Form.SERVICE, syntax), diagnostics)
    unit = _keep(includes.expand(shaped or document, workspace), diagnostics)
    if shaped is None:
        return None
    later: list[Diagnostic] = []
    service = _keep(bind.bind(unit, config.separator, config.formats), later)
    service = _keep(resolve.resolve(service, workspace), later)
    for derive in normalise.PASSES:
        service = _keep(derive(service), later)
    errors = [diagnostic for diagnostic in syntax if diagnostic.severity is Severity.ERROR]
    diagnostics += (
        (diagnostic for diagnostic in later if not shape.lies_in(diagnostic, errors))
        if errors
        else later
    )
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


def is_service(document: Document) -> bool:
    """Return whether a document declares itself a service; any other may be a part of one."""
    return isinstance(document.value, dict) and not _SERVICE_KEYS.isdisjoint(document.value)


def in_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return diagnostics without duplicates, in the order of a report."""
    once: dict[object, Diagnostic] = {}
    for diagnostic in diagnostics:
        once.setdefault(diagnostic.identity, diagnostic)
    return tuple(sorted(once.values(), key=lambda diagnostic: diagnostic.order))


def _keep(checked: Checked[T], diagnostics: list[Diagnostic]) -> T:
    """Return a stage's value and add its diagnostics."""
    diagnostics += checked.diagnostics
    return checked.value
