"""Compiles a project: plan, analyse each document, link, emit.

`check`, `compile`, `--check`, `--watch`, the cache and workers all run this code. Analyses are
independent of each other, so each can come from the cache or from another process. A service whose
files are made is reduced to its notes, so a compile needs the memory of its largest service.
"""

from __future__ import annotations

import os
from collections import Counter
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked, Diagnostic, did_you_mean, has_errors
from toolspec.driver import kinds
from toolspec.driver.analysis import (
    AnalysisTask,
    analyse,
    context_of,
    in_order,
    intact,
    is_service,
    read_service,
)
from toolspec.driver.clock import today
from toolspec.driver.config import Config, Project, find_project, locations
from toolspec.driver.filesystem import regular
from toolspec.driver.held import held_values
from toolspec.driver.incremental.fingerprints import fingerprint_to_read
from toolspec.driver.lint import baseline
from toolspec.driver.lint.lint import LintContext
from toolspec.driver.lint.suppressions import apply_suppressions, has_unsuppressed_errors
from toolspec.driver.renders import read_templates
from toolspec.driver.replaced_templates import with_replaced_templates
from toolspec.driver.workers import ExecutorError, Workers
from toolspec.driver.workspace import Workspace
from toolspec.driver.write_options import OverwritePolicy, WriteOptions
from toolspec.frontend import naming, shape
from toolspec.frontend.naming.kinds import KINDS as NAMING_KINDS
from toolspec.frontend.shape import kinds as shape_kinds
from toolspec.ir import Program
from toolspec.rules import engine
from toolspec.rules.facts import ProjectFacts
from toolspec.rules.selection import Plan
from toolspec.shared.records import dataclass, field, replace
from toolspec.targets import discovery

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet
    from typing import Any

    from toolspec.driver.analysis import Analysis
    from toolspec.driver.incremental.cache import AnalysisCache, AnalysisMemory
    from toolspec.driver.output import Change, File, Stage
    from toolspec.driver.output.tree import FileDigests
    from toolspec.driver.service_summary import ServiceSummary
    from toolspec.driver.workspace import FileSnapshot
    from toolspec.frontend.allow_syntax.parsed import DocumentSuppression
    from toolspec.ir import Service
    from toolspec.source import Span
    from toolspec.targets.target import Target

    Progress = Callable[[str], None]

CONTRACT = "toolspec.contract.json"
"""The file of a project's contract; `changes/contract.py` reads it."""

_NAMING_CODES = frozenset(kind.code for kind in NAMING_KINDS)


@dataclass(frozen=True, slots=True)
class Request:
    """Parameters of a build: paths and overrides as written on the command line.

    `overwrite_policy` decides about an edited or foreign file at the path of an artifact. `prune`
    removes files of targets that the configuration does not name. `snapshots` replace
    documents on the disk, by name. `today` decides which suppressions apply, as `2027-01-31`; `has_baseline`
    whether the baseline suppresses diagnostics. `templates` is a folder of templates for all
    targets. Without `has_rules` no lint rule runs.
    """

    paths: Sequence[str] = ()
    out: str | None = None
    targets: Sequence[str] = ()
    overwrite_policy: OverwritePolicy = OverwritePolicy.REFUSE
    prune: bool = False
    folder: Path = field(default_factory=Path.cwd)
    snapshots: Mapping[str, FileSnapshot] = field(default_factory=dict, repr=False)
    today: str = field(default_factory=today)
    has_baseline: bool = True
    templates: str = ""
    has_rules: bool = True


@dataclass(frozen=True, slots=True)
class CompileOptions:
    """Options that do not change what a build writes and reports.

    With `has_program` everything runs in this process, and the build has its program. A process that
    compiles repeatedly, as a watcher or a language server, passes the same `memory` each time, empty
    at first: documents that have not changed are not read again.
    """

    workers: Workers = field(default_factory=Workers)
    is_cached: bool = True
    has_program: bool = False
    memory: AnalysisMemory | None = None


_IN_PROCESS = CompileOptions(Workers(1), is_cached=False, has_program=True)


@dataclass(frozen=True, slots=True)
class Build:
    """Result of a build, up to its first failing stage.

    `summaries` are those of the services, by name. `changes` compares every file of the output
    folder, including the lock and files to remove, with the disk before anything was written; it is
    empty after an error. `documents` are the requested names, `suppressions` those in them, `fingerprints` those of every file
    and folder that the result depends on, and `until` the last day on which the result is
    valid: empty for always.
    """

    project: Project
    out: Path
    program: Program
    documents: tuple[str, ...] = ()
    targets: tuple[Target, ...] = ()
    summaries: Sequence[ServiceSummary] = ()
    changes: tuple[Change, ...] = ()
    suppressions: tuple[DocumentSuppression, ...] = field(default=(), repr=False)
    fingerprints: Mapping[str, str] = field(default_factory=dict, repr=False)
    until: str = ""

    @property
    def uses_installed(self) -> bool:
        """Whether a rule or a target comes from another distribution, whose files are not known."""
        installed = self.project.config.lint.plan.installed
        return bool(installed) or not all(map(discovery.is_built_in, self.targets))

    def reads(self, path: str) -> bool:
        """Return whether a path below the output folder is one that the build reads from."""
        return f"{self.out}/{path}" in self.fingerprints


@dataclass(frozen=True, slots=True)
class BuildPlan:
    """A request with its project, targets and documents, before any document is read.

    A project with an error in its configuration has no documents.
    """

    request: Request
    build: Build
    workspace: Workspace
    lint_context: LintContext
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class LinkedProgram:
    """Analyses linked to a program, with every diagnostic before suppressions are applied."""

    plan: BuildPlan
    build: Build
    diagnostics: tuple[Diagnostic, ...]

    def checked(self, *more: Diagnostic) -> Checked[Build]:
        """Return the build with severities and suppressions applied to all diagnostics."""
        result = apply_suppressions(
            in_order((*self.diagnostics, *more)),
            self.build.suppressions,
            self.plan.lint_context,
        )
        return Checked(replace(self.build, until=result.until), in_order(result.diagnostics))


class _OutdatedError(Exception):
    """A document changed between its analysis and linking."""


def _ignore(_: str) -> None:
    """Report no progress."""


def check(request: Request, progress: Progress = _ignore) -> Checked[Build]:
    """Return the program of a request with all diagnostics; create no artifact."""
    plan = plan_build(request)
    return link(plan, tuple(_analyse(plan, _IN_PROCESS, progress))).checked()


def build(
    request: Request, progress: Progress = _ignore, options: CompileOptions = _IN_PROCESS
) -> Checked[Build]:
    """Return what `check` returns, plus every artifact compared with the disk; write nothing."""
    return _compile(request, progress, options, writes=False)


def compile_specs(
    request: Request, progress: Progress = _ignore, options: CompileOptions = _IN_PROCESS
) -> Checked[Build]:
    """Return what `build` returns, and write the output folder.

    After an error nothing is changed, except if the diagnostic asks for another run to finish.
    """
    return _compile(request, progress, options, writes=True)


def _compile(
    request: Request, progress: Progress, options: CompileOptions, *, writes: bool
) -> Checked[Build]:
    # `toolspec check` does not load what writes.
    from toolspec.driver.output import BlockedError, GoneError, Stage

    plan = plan_build(request)
    digests: FileDigests = {}
    cache = _cache(plan, digests, options.memory) if options.is_cached else None
    try:
        with closing(Stage(plan.build.out, digests, writes=writes)) as stage:
            analyses = tuple(_analyse(plan, options, progress, cache, stage))
            emitted = emit_project(plan, analyses, stage)
            checked = link(plan, analyses).checked(*emitted.diagnostics)
            if checked.ok:
                checked = _deliver(plan, checked, emitted.value, digests, writes=writes)
            if cache and writes:
                for analysis in analyses:
                    cache.store(analysis, checked)
    except BlockedError as blocked:
        return Checked(plan.build, (blocked.diagnostic,))
    except ExecutorError as error:
        name = options.workers.name or "the executor"
        failed = kinds.EXECUTOR_FAILED.at(None, name=name, reason=str(error))
        return Checked(plan.build, (failed,))
    except (GoneError, _OutdatedError):
        return _compile(request, progress, _IN_PROCESS, writes=writes)
    if cache and writes and checked.ok and not request.paths:
        cache.retain(plan.build.documents)
    return checked


def _cache(
    plan: BuildPlan, digests: FileDigests, memory: AnalysisMemory | None
) -> AnalysisCache | None:
    """Return the cache of a project; None if it cannot detect each change of what a build uses."""
    from toolspec.driver.incremental.cache import AnalysisCache

    if plan.request.snapshots or plan.build.uses_installed:
        return None
    return AnalysisCache(plan.build.project, plan.build.out, digests, memory)


def plan_build(request: Request) -> BuildPlan:
    """Return the project, targets and document names of a request; read no document."""
    fingerprints = {
        str(path): fingerprint_to_read(str(path)) for path, _ in locations(_start(request))
    }
    checked = locate(request)
    project, diagnostics = checked.value, list(checked.diagnostics)
    if not request.has_rules:
        lint = replace(project.config.lint, plan=Plan({}))
        project = replace(project, config=replace(project.config, lint=lint))
    project = _with_templates(project, diagnostics, fingerprints)
    targets = tuple(_targets(project.config, diagnostics, is_configured=not request.targets))
    diagnostics += _unknown_target_tables(project.config)
    project = _with_contract(project, targets, fingerprints)
    if any(
        option in project.config.options_of(target.name)
        for target in targets
        for option in target.file_options
    ):
        from toolspec.driver.target_files import with_target_files

        project = with_target_files(project, targets, diagnostics, fingerprints)
    folder = request.folder / request.templates if request.templates else None
    project = with_replaced_templates(project, targets, folder, diagnostics, fingerprints)
    lint_context = _lint_context(request, project, diagnostics, fingerprints)
    workspace = Workspace(project, request.snapshots)
    names: Checked[tuple[str, ...]] = Checked(())
    if not has_errors(diagnostics):
        diagnostics += _check_output(request, workspace)
    if not has_errors(diagnostics):
        names = workspace.sources(request.paths, request.folder)
        diagnostics += names.diagnostics
    planned = Build(
        project, workspace.out, Program(()), names.value, targets, fingerprints=fingerprints
    )
    return BuildPlan(request, planned, workspace, lint_context, tuple(diagnostics))


def _check_output(request: Request, workspace: Workspace) -> tuple[Diagnostic, ...]:
    """Return the diagnostic of an output folder in which documents are searched for."""
    project, root, out = workspace.project, workspace.root, workspace.out
    config, real = project.config, os.path.realpath(out)
    is_declared = os.path.realpath(root / (config.declared_out or out)) == real
    searched = [(root, path, is_declared) for path in config.specs]
    # The same command leaves its output out.
    searched += [(request.folder, path, True) for path in request.paths]
    for folder, path, is_left_out in searched:
        if workspace.searches(folder, path, out, is_left_out=is_left_out):
            is_same = os.path.realpath(folder / path) == real
            values: dict[str, Any] = {
                "out": request.out or (config.out if project.is_configured else Config().out),
                "relation": "is" if is_same else f"lies in `{path}`, which is",
                "option": "with `--out`" if request.out else "as `out` in the configuration",
            }
            span = None if request.out else config.span("out")
            return (kinds.SEARCHED_OUTPUT.at(span, **values),)
    return ()


def _with_templates(
    project: Project, diagnostics: list[Diagnostic], fingerprints: dict[str, str]
) -> Project:
    """Return the project with the texts of the user's templates."""
    config = project.config
    if not config.renders:
        return project
    renders = tuple(read_templates(config.renders, project.root, diagnostics, fingerprints))
    return replace(project, config=replace(config, renders=renders))


def _with_contract(
    project: Project, targets: Iterable[Target], fingerprints: dict[str, str]
) -> Project:
    """Return the project with the text of its contract, if a target shows its changelog."""
    if not any(target.has_changelog for target in targets):
        return project
    path = project.root / CONTRACT
    fingerprints[str(path)] = fingerprint_to_read(str(path))
    try:
        text = regular(path).read_text("utf-8")
    except (OSError, UnicodeDecodeError):  # `toolspec ci` reports it
        return project
    return replace(project, config=replace(project.config, contract=text))


def _lint_context(
    request: Request, project: Project, diagnostics: list[Diagnostic], fingerprints: dict[str, str]
) -> LintContext:
    """Return the lint context of a project; the result of the build depends on the baseline too."""
    accepted = baseline.Baseline()
    if request.has_baseline:
        path = str(project.root / baseline.NAME)
        fingerprints[path] = fingerprint_to_read(path)
        read = baseline.read_baseline(project.root)
        diagnostics += read.diagnostics
        accepted = read.value
    return LintContext(
        project.config.lint, accepted, request.today, not request.paths, not request.targets
    )


def _analyse(
    plan: BuildPlan,
    options: CompileOptions,
    progress: Progress,
    cache: AnalysisCache | None = None,
    stage: Stage | None = None,
) -> Iterator[Analysis]:
    """Yield the analysis of each document, and of each service that includes a requested part.

    With `stage` the files of the targets are generated too; it takes them out of memory before the
    next document.
    """
    names = plan.build.documents
    while names:
        parts: set[str] = set()
        cached = {name: cache.find(name) for name in names} if cache else {}
        tasks = [
            AnalysisTask(
                plan.build.project,
                name,
                {**(cache.snapshots(name) if cache else {}), **plan.request.snapshots},
                emits=stage is not None,
                has_service=options.has_program,
            )
            for name in names
            if not cached.get(name)
        ]
        fresh = options.workers.analyse(tasks, plan.workspace.parsed, stage)
        for name in names:
            progress(name)
            analysis = cached.get(name) or next(fresh)
            if analysis.is_part or any(map(_lacks_key_of_service, analysis.diagnostics)):
                parts.add(name)
            yield replace(analysis, files=stage.store(name, analysis.files)) if stage else analysis
        names = find_including_services(plan, parts) if plan.request.paths else ()


def find_including_services(plan: BuildPlan, parts: AbstractSet[str]) -> tuple[str, ...]:
    """Return the services outside a request that include one of its parts.

    Only a service can validate its parts.
    """
    workspace = plan.workspace
    names = workspace.sources().value if parts else ()
    including: list[str] = []
    for name in names:
        document = workspace.document(name)
        if name in plan.build.documents or document.value is None or not is_service(document.value):
            continue
        workspace.used.clear()
        read_service(document.value, document.diagnostics, workspace, [])
        if not parts.isdisjoint(workspace.used):
            including.append(name)
    return tuple(including)


def link(plan: BuildPlan, analyses: Sequence[Analysis]) -> LinkedProgram:
    """Return the program of all analyses, with the diagnostics that need more than one of them."""
    analyses = sorted(analyses, key=lambda analysis: analysis.service_name)
    workspace, config = plan.workspace, plan.build.project.config
    colliding = _colliding(analyses)
    renamed = {analysis.name for analysis in colliding}
    services = tuple(_services(colliding, plan))
    together = list(naming.check_names(services))
    if all(analysis.is_complete for analysis in analyses):
        together += _unused_parts(analyses, workspace)
    has_errors = any(analysis.has_errors for analysis in analyses) or has_unsuppressed_errors(
        together
    )
    digests = {name: of for analysis in analyses for name, of in analysis.inputs.files.items()}
    project = ProjectFacts(
        tuple(analysis.facts.value() for analysis in analyses if analysis.facts),
        lambda name: workspace.document(name).value,
        lambda name: workspace.source(name, digests),
        config.targets,
        plan.lint_context.is_whole and not has_errors,
    )
    together += engine.run_project(project, config.lint.plan)
    _check_unchanged(analyses, workspace)
    parts = _parts_with_version(analyses)
    alone = (
        diagnostic
        for analysis in analyses
        for diagnostic in analysis.diagnostics
        if (analysis.name not in renamed or diagnostic.code not in _NAMING_CODES)
        and not (analysis.name in parts and _lacks_key_of_service(diagnostic))
    )
    program = Program(
        tuple(analysis.service for analysis in analyses if analysis.service), config.separator
    )
    fingerprints = {**plan.build.fingerprints, **workspace.fingerprints}
    for analysis in analyses:
        fingerprints |= analysis.inputs.fingerprints
    return LinkedProgram(
        plan,
        replace(
            plan.build,
            program=intact(program),
            summaries=held_values(analysis.summary for analysis in analyses if analysis.summary),
            suppressions=tuple(
                suppression for analysis in analyses for suppression in analysis.suppressions
            ),
            fingerprints=fingerprints,
        ),
        (*plan.diagnostics, *alone, *together),
    )


def _colliding(analyses: Iterable[Analysis]) -> tuple[Analysis, ...]:
    """Return the services that share a name with another one."""
    analyses = tuple(analyses)
    count = Counter(claim for analysis in analyses for claim in analysis.claims.value())
    shared = {claim for claim, times in count.items() if times > 1}
    return tuple(
        analysis
        for analysis in analyses
        if shared and not shared.isdisjoint(analysis.claims.value())
    )


def _services(analyses: Iterable[Analysis], plan: BuildPlan) -> Iterator[Service]:
    """Yield the services of analyses; one that was not kept is analysed again."""
    for analysis in analyses:
        service = analysis.service
        if service is None:
            task = AnalysisTask(
                plan.build.project, analysis.name, plan.request.snapshots, has_service=True
            )
            again = analyse(task)
            if again.inputs.files != analysis.inputs.files:
                raise _OutdatedError(analysis.name)
            service = again.service
        if service is not None:
            yield service


def _parts_with_version(analyses: Iterable[Analysis]) -> AbstractSet[str]:
    """Return the included parts that begin with `toolspec`, as a service document does.

    Such a part was analysed as a service too, which lacks everything that a service has.
    """
    return {
        diagnostic.span.source.path
        for analysis in analyses
        for diagnostic in analysis.diagnostics
        if diagnostic.code == shape_kinds.UNKNOWN_KEY.code
        and diagnostic.subject.pointer == "/toolspec"
        and diagnostic.span
    }


def _lacks_key_of_service(diagnostic: Diagnostic) -> bool:
    """Return whether a diagnostic misses a key in the root of a document, such as `service`."""
    is_missing = diagnostic.code == shape_kinds.MISSING_KEY.code
    return is_missing and not diagnostic.subject.pointer


def _unused_parts(analyses: Iterable[Analysis], workspace: Workspace) -> Iterator[Diagnostic]:
    """Yield diagnostics for documents that are not services and that no service uses."""
    analyses = tuple(analyses)
    used = {name for analysis in analyses if not analysis.is_part for name in analysis.inputs.files}
    for analysis in analyses:
        if analysis.is_part and analysis.name not in used:
            document = workspace.document(analysis.name).value
            if document is not None:
                yield from shape.check(document, shape.Form.SERVICE)


def _check_unchanged(analyses: Iterable[Analysis], workspace: Workspace) -> None:
    """Raise _OutdatedError if linking has read another text of a document than its analysis."""
    for analysis in analyses:
        for name, digest in analysis.inputs.files.items():
            if workspace.digests.get(name, digest) != digest:
                raise _OutdatedError(name)


def emit_project(
    plan: BuildPlan, analyses: Sequence[Analysis], stage: Stage
) -> Checked[tuple[File, ...]]:
    """Return the files of all services and of the project, in the stage; none if a service has none.

    Raises GoneError if a file of a service is no longer on the disk.
    """
    from toolspec.driver.output import GoneError, OnDisk, files_of

    if not all(analysis.is_part or analysis.notes for analysis in analyses):
        return Checked(())
    services = sorted(
        (analysis for analysis in analyses if not analysis.is_part),
        key=lambda analysis: analysis.service_name,
    )
    files = [file for service in services for file in service.files]
    contents = {
        file.path: file.content or OnDisk(f"{plan.build.out}/{file.path}") for file in files
    }
    diagnostics: list[Diagnostic] = []
    config = plan.build.project.config
    for target in plan.build.targets:
        artifacts = target.emit_project(
            held_values(service.notes[target.name] for service in services),
            context_of(target, config),
        )
        diagnostics += artifacts.diagnostics
        try:
            files += files_of(target.name, artifacts.value, contents)
        except OSError as error:
            raise GoneError(target.name) from error
    return Checked(stage.store("", files), tuple(diagnostics))


def _deliver(
    plan: BuildPlan,
    checked: Checked[Build],
    files: tuple[File, ...],
    digests: FileDigests,
    *,
    writes: bool,
) -> Checked[Build]:
    """Return a build whose files are written, or compared with the disk."""
    from toolspec.driver.output import check_paths, drift, publish

    diagnostics = (
        *checked.diagnostics,
        *check_paths(files, plan.build.project.config.render_span, checked.value.reads),
    )
    if has_errors(diagnostics):
        return Checked(checked.value, diagnostics)
    request, config = plan.request, plan.build.project.config
    write_options = WriteOptions(
        request.overwrite_policy,
        frozenset(target.name for target in plan.build.targets) if request.targets else None,
        frozenset((*config.targets, *config.declared)),
        request.prune,
        root=plan.build.project.root,
    )
    changes = (publish if writes else drift)(plan.build.out, files, write_options, digests)
    diagnostics = (*diagnostics, *changes.diagnostics)
    if not changes.ok:
        return Checked(checked.value, diagnostics)
    return Checked(replace(checked.value, changes=changes.value), diagnostics)


def locate(request: Request) -> Checked[Project]:
    """Return the project of a request, searched from its folder or else from its paths."""
    checked = find_project(_start(request))
    project = checked.value
    changes: dict[str, object] = {}
    if request.out is not None or not project.is_configured:
        changes["out"] = str((request.folder / (request.out or project.config.out)).absolute())
    if request.out is not None:
        changes["declared_out"] = (
            project.config.out
            if project.is_configured
            else str(request.folder / project.config.out)
        )
    if request.targets:
        changes["targets"] = tuple(request.targets)
        changes["declared"] = project.config.targets
    config = replace(project.config, **changes)
    return Checked(Project(project.root, config, project.is_configured), checked.diagnostics)


def _start(request: Request) -> Path:
    """Return the folder where the search for a configuration begins."""
    folder = request.folder.resolve()
    named = [(folder / path).resolve() for path in request.paths]
    if all(path.is_relative_to(folder) for path in named):
        return folder
    common = Path(os.path.commonpath(named))
    return common if common.is_dir() else common.parent


def _targets(config: Config, diagnostics: list[Diagnostic], *, is_configured: bool) -> list[Target]:
    """Return the targets by name, with options validated against each target's schema."""
    chosen: list[Target] = []
    for name in dict.fromkeys(config.targets):
        target = discovery.find(name)
        if target is None:
            hint = did_you_mean(name, discovery.names())
            span = config.span("targets", config.targets.index(name)) if is_configured else None
            diagnostics.append(kinds.UNKNOWN_TARGET.at(span, name=name, suggestion=hint))
            continue
        diagnostics += _check_options(target, config)
        chosen.append(target)
    return chosen


def _unknown_target_tables(config: Config) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each table of options whose target does not exist.

    The options of a target that is not built have no effect, so only its name is checked.
    """
    for name in config.target_options:
        if not discovery.exists(name):
            hint = did_you_mean(name, discovery.names())
            yield kinds.UNKNOWN_TARGET.at(_table_span(config, name), name=name, suggestion=hint)


def _table_span(config: Config, target: str) -> Span | None:
    """Return the span of a target's table, or None without a configuration file."""
    return config.locations.key(*config.table, "target", target) if config.locations else None


def _check_options(target: Target, config: Config) -> list[Diagnostic]:
    options = config.target_options.get(target.name)
    if not options:
        return []
    from toolspec.shared.explanation import explained

    errors = explained(target.options, options)
    if not errors:
        return [*target.check_options(options, partial(config.span, "target", target.name))]
    span = _table_span(config, target.name)
    return [
        kinds.TARGET_OPTION.at(span, target=target.name, reason=error.located) for error in errors
    ]
