"""A build from start to end, for the command line, the tests and the public functions."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked, Diagnostic, did_you_mean, has_errors
from toolspec.driver import kinds
from toolspec.driver.cache.fingerprints import stamp_to_read
from toolspec.driver.clock import today
from toolspec.driver.config import Project, find_project, places
from toolspec.driver.including_services import find_including_services
from toolspec.driver.lint import baseline
from toolspec.driver.lint.context import LintContext
from toolspec.driver.lint.suppressions import apply_suppressions, has_unsuppressed_errors
from toolspec.driver.pipeline import (
    analyse,
    check_targets,
    emit,
    in_order,
    intact,
    judge_alone,
    judge_together,
)
from toolspec.driver.renders import read_templates
from toolspec.driver.replaced_templates import with_replaced_templates
from toolspec.driver.service_summary import ServiceSummary, summarize
from toolspec.driver.workspace import Workspace
from toolspec.driver.write_options import OverwritePolicy, WriteOptions
from toolspec.ir import Program
from toolspec.providers.lowered_tools import LoweredTools
from toolspec.providers.profile import find_profile
from toolspec.rules.catalogue import facts
from toolspec.targets import discovery

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from toolspec.driver.config import Config
    from toolspec.driver.output import Change, File
    from toolspec.driver.pipeline import Progress
    from toolspec.driver.workspace import FileSnapshot
    from toolspec.frontend.suppressions.suppression import DocumentSuppression
    from toolspec.targets.target import Target

    Deliver = Callable[[Path, tuple[File, ...], WriteOptions], Checked[tuple[Change, ...]]]


@dataclass(frozen=True, slots=True)
class Request:
    """Parameters of a build: paths and overrides as written on the command line.

    `takeover` decides about an edited or foreign file at the path of an artifact. `prune` removes
    files of targets that the configuration does not name. `given` overrides documents on the disk,
    by name. `today` decides which suppressions apply, as `2027-01-31`; `has_baseline` whether the
    baseline suppresses diagnostics. `templates` is a folder of templates for all targets.
    """

    paths: Sequence[str] = ()
    out: str | None = None
    targets: Sequence[str] = ()
    overwrite_policy: OverwritePolicy = OverwritePolicy.REFUSE
    prune: bool = False
    folder: Path = field(default_factory=Path.cwd)
    given: Mapping[str, FileSnapshot] = field(default_factory=dict, repr=False)
    today: str = field(default_factory=today)
    has_baseline: bool = True
    templates: str = ""


@dataclass(frozen=True, slots=True)
class Build:
    """Result of a build, up to its first failing stage.

    `changes` compares every file of the output folder, including the lock and files to remove, with
    the disk before anything was written; it is empty after an error. `documents` are the requested
    names, `stamps` the fingerprints of every file and folder that the result depends on, and
    `until` the last day on which the result is valid: empty for always.
    """

    project: Project
    out: Path
    program: Program
    outlines: tuple[ServiceSummary, ...] = ()
    changes: tuple[Change, ...] = ()
    documents: tuple[str, ...] = ()
    targets: tuple[Target, ...] = ()
    stamps: Mapping[str, str] = field(default_factory=dict, repr=False)
    until: str = ""

    @property
    def settled(self) -> Build:
        """Return this build with everything written, as the next build of its documents sees it."""
        there = (each for each in self.changes if each.after is not None)
        return replace(self, changes=tuple(replace(each, before=each.after) for each in there))


@dataclass(frozen=True, slots=True)
class BuildPlan:
    """A request with its project, targets and document names, before any document is read."""

    build: Build
    workspace: Workspace
    names: tuple[str, ...]
    lint_context: LintContext


@dataclass(frozen=True, slots=True)
class Analysis:
    """Analysis of the documents, before suppressions are applied."""

    build: Build
    found: tuple[Diagnostic, ...]
    stated: tuple[DocumentSuppression, ...]
    lint_context: LintContext
    lowered_tools: LoweredTools = field(default_factory=LoweredTools)

    def told(self, *more: Diagnostic) -> Checked[Build]:
        """Return the build with final severities and suppressions, including later diagnostics."""
        settled = apply_suppressions(in_order((*self.found, *more)), self.stated, self.lint_context)
        return Checked(replace(self.build, until=settled.until), in_order(settled.diagnostics))


def check(request: Request, progress: Progress = lambda _: None) -> Checked[Build]:
    """Return the program of a request with all diagnostics; create no artifact."""
    return _look(request, progress).told()


def _look(request: Request, progress: Progress) -> Analysis:
    prepared = prepare(request)
    done, found = prepared.value.build, list(prepared.diagnostics)
    workspace, config, lint_context = (
        prepared.value.workspace,
        done.project.config,
        prepared.value.lint_context,
    )
    lowered_tools = LoweredTools(config.targets, config.declared)
    if any(each.code.startswith("config/") for each in found):
        return Analysis(done, tuple(found), (), lint_context, lowered_tools)
    names, judge = prepared.value.names, judge_alone(config, lowered_tools)
    if request.paths:
        names = find_including_services(names, workspace, Workspace(done.project, request.given))
    analysed = analyse(workspace, names, config.separator, progress, judge)
    program = intact(analysed.value)
    found += analysed.diagnostics
    is_whole = lint_context.is_whole
    of_providers = program
    if has_unsuppressed_errors(analysed.diagnostics):
        is_whole, of_providers = False, intact(program, is_sent=True)
    known = (facts(service, lowered_tools) for service in of_providers.services)
    found += judge_together(known, workspace, config, is_whole=is_whole)
    for each in done.targets:
        checked = program if find_profile(each.name) is None else of_providers
        found += check_targets(checked, config, (each,), lowered_tools)
    found += workspace.diagnostics
    outlines = tuple(summarize(service, lowered_tools) for service in of_providers.services)
    stamps = {**done.stamps, **workspace.stamps}
    done = replace(done, program=program, outlines=outlines, stamps=stamps)
    return Analysis(done, tuple(found), tuple(workspace.suppressions), lint_context, lowered_tools)


def prepare(request: Request) -> Checked[BuildPlan]:
    """Return the project, targets and document names of a request; read no document."""
    seen = {str(path): stamp_to_read(str(path)) for path, _ in places(_start(request))}
    located = locate(request)
    project, found = located.value, list(located.diagnostics)
    project = _with_templates(project, found, seen)
    targets = tuple(_targets(project.config, found, is_configured=not request.targets))
    chosen = request.folder / request.templates if request.templates else None
    project = with_replaced_templates(project, targets, chosen, found, seen)
    lint_context = _lint_context(request, project, found, seen)
    workspace = Workspace(project, request.given)
    done = Build(project, workspace.out, Program(()), targets=targets, stamps=seen)
    if has_errors(found):
        return Checked(BuildPlan(done, workspace, (), lint_context), tuple(found))
    paths, base = request.paths, request.folder
    if not paths:
        paths, base = project.config.specs, project.root
    names = workspace.sources(paths, base, is_configured=not request.paths)
    prepared = BuildPlan(replace(done, documents=names.value), workspace, names.value, lint_context)
    return Checked(prepared, (*found, *names.diagnostics))


def _with_templates(project: Project, found: list[Diagnostic], seen: dict[str, str]) -> Project:
    """Return the project with the texts of the user's templates."""
    config = project.config
    if not config.renders:
        return project
    for render in config.renders:
        path = str(project.root / render.template)
        seen[path] = stamp_to_read(path)
    renders = tuple(read_templates(config.renders, project.root, found))
    return replace(project, config=replace(config, renders=renders))


def _lint_context(
    request: Request, project: Project, found: list[Diagnostic], seen: dict[str, str]
) -> LintContext:
    """Return the lint context of a project; the result of the build depends on the baseline too."""
    known = baseline.Baseline()
    if request.has_baseline:
        path = str(project.root / baseline.NAME)
        seen[path] = stamp_to_read(path)
        read = baseline.read_baseline(project.root)
        found += read.diagnostics
        known = read.value
    return LintContext(
        project.config.lint,
        known,
        request.today,
        is_whole=not request.paths,
        has_all_targets=not request.targets,
    )


def build(request: Request, progress: Progress = lambda _: None) -> Checked[Build]:
    """Return what `check` returns, plus every artifact compared with the disk; write nothing."""
    from toolspec.driver.output import drift

    return _make(request, progress, drift)


def compile_specs(request: Request, progress: Progress = lambda _: None) -> Checked[Build]:
    """Return what `build` returns, and write the output folder.

    After an error nothing is changed, unless the diagnostic says that the next run has to finish.
    """
    from toolspec.driver.output import publish

    return _make(request, progress, publish)


def _make(request: Request, progress: Progress, deliver: Deliver) -> Checked[Build]:
    from toolspec.driver.output import files_of

    looked = _look(request, progress)
    checked = looked.told()
    if not checked.ok:
        return checked
    done = checked.value
    emitted = emit(done.program, done.project.config, done.targets, progress, looked.lowered_tools)
    told = looked.told(*emitted.diagnostics)
    files = Checked(files_of(emitted.value), told.diagnostics)
    return hand_over(request, told.value, files, deliver)


def hand_over(
    request: Request, done: Build, made: Checked[tuple[File, ...]], deliver: Deliver
) -> Checked[Build]:
    """Return a build whose files are delivered: compared with the disk, or written."""
    from toolspec.driver.output import check_paths

    problems = (*made.diagnostics, *check_paths(made.value, done.project.config.render_span))
    if has_errors(problems):
        return Checked(done, problems)
    config = done.project.config
    terms = WriteOptions(
        request.overwrite_policy,
        frozenset(each.name for each in done.targets) if request.targets else None,
        frozenset((*config.targets, *config.declared)),
        request.prune,
    )
    delivered = deliver(done.out, made.value, terms)
    if delivered.ok:
        done = replace(done, changes=delivered.value)
    return Checked(done, (*problems, *delivered.diagnostics))


def locate(request: Request) -> Checked[Project]:
    """Return the project of a request, searched from its folder or else from its paths."""
    found = find_project(_start(request))
    project = found.value
    changes: dict[str, object] = {}
    if request.out is not None or not project.is_configured:
        out = request.out or project.config.out
        changes["out"] = str((request.folder / out).absolute())
    if request.targets:
        changes["targets"] = tuple(request.targets)
        changes["declared"] = project.config.targets
    config = replace(project.config, **changes)  # type: ignore[arg-type] # keys are Config's fields
    return Checked(replace(project, config=config), found.diagnostics)


def _start(request: Request) -> Path:
    """Return the folder where the search for a configuration begins."""
    import os.path

    folder = request.folder.resolve()
    named = [(folder / path).resolve() for path in request.paths]
    if all(path.is_relative_to(folder) for path in named):
        return folder
    common = Path(os.path.commonpath(named))
    return common if common.is_dir() else common.parent


def _targets(config: Config, found: list[Diagnostic], *, is_configured: bool) -> list[Target]:
    """Return the targets by name, with options validated against each target's schema."""
    chosen: list[Target] = []
    for name in dict.fromkeys(config.targets):
        target = discovery.find(name)
        if target is None:
            hint = did_you_mean(name, discovery.names())
            span = config.span("targets", config.targets.index(name)) if is_configured else None
            found.append(kinds.UNKNOWN_TARGET.at(span, name=name, suggestion=hint))
            continue
        found += _check_options(target, config)
        chosen.append(target)
    return chosen


def _check_options(target: Target, config: Config) -> list[Diagnostic]:
    options = config.target_options.get(target.name)
    if not options:
        return []
    from toolspec.shared.explanation import explained

    errors = explained(target.options, options)
    span = config.places.key(*config.table, "target", target.name) if config.places else None
    return [
        kinds.TARGET_OPTION.at(span, target=target.name, reason=error.located) for error in errors
    ]
