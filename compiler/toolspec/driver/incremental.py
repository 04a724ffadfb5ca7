"""Incremental compile: unchanged units come from the cache, workers make the others.

It writes and reports what `build.compile_specs` does; a test compares the two. It falls back to
that function if services share more than a few files. Finished units are reduced to notes, so a
build needs the memory of its largest service.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked, has_errors
from toolspec.driver import build, kinds
from toolspec.driver.cache.units import UnitCache
from toolspec.driver.lint.suppressions import has_unsuppressed_errors
from toolspec.driver.output import BlockedError, GoneError, Spool, files_of, publish
from toolspec.driver.pipeline import Emission, context_of, judge_together
from toolspec.driver.service_summary import names_collide
from toolspec.driver.unit import UnitTask
from toolspec.driver.workers import ExecutorError, Workers
from toolspec.driver.workspace import Workspace
from toolspec.frontend.naming.join import is_proven
from toolspec.targets import discovery

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.driver.build import Build, BuildPlan, Request
    from toolspec.driver.config import Config
    from toolspec.driver.output import File
    from toolspec.driver.output.tree import Known
    from toolspec.driver.pipeline import Progress
    from toolspec.driver.service_summary import ServiceSummary
    from toolspec.driver.unit import CompiledUnit
    from toolspec.targets.target import Target


@dataclass(frozen=True, slots=True)
class CompileOptions:
    """Options of a compile that do not change its result."""

    workers: Workers = field(default_factory=Workers)
    is_cached: bool = True


def compile_specs(
    request: Request, ways: CompileOptions, progress: Progress = lambda _: None
) -> Checked[Build]:
    """Return what `build.compile_specs` returns, compiled with the given options."""
    prepared = build.prepare(request)
    done = prepared.value.build
    if (
        has_errors(prepared.diagnostics)
        or not is_proven(done.project.config.separator)
        or not all(map(discovery.is_built_in, done.targets))
        or done.project.config.lint.plan.installed
    ):
        return build.compile_specs(request, progress)
    known: Known = {}
    try:
        with closing(Spool(done.out, known)) as spool:
            made = _compile(request, prepared, _CompileContext(ways, spool, known), progress)
    except BlockedError as blocked:
        return Checked(done, (blocked.diagnostic,))
    except ExecutorError as error:
        name = ways.workers.name or "the executor"
        failed = kinds.EXECUTOR_FAILED.at(None, name=name, reason=str(error))
        return Checked(done, (failed,))
    except GoneError:
        made = None
    return made or build.compile_specs(request, progress)


@dataclass(frozen=True, slots=True)
class _CompileContext:
    """State of a compile: options, spool, known files."""

    ways: CompileOptions
    spool: Spool
    known: Known


def _compile(
    request: Request, asked: Checked[BuildPlan], context: _CompileContext, progress: Progress
) -> Checked[Build] | None:
    """Return the build of a request, or None if its services must be analyzed together."""
    prepared = asked.value
    done, names = prepared.build, prepared.names
    cache = UnitCache(done.project, done.out, context.known) if context.ways.is_cached else None
    kept = {name: unit for name in names if cache and (unit := cache.find(name))}
    tasks = [
        UnitTask(done.project, name, cache.given(name) if cache else {})
        for name in names
        if name not in kept
    ]
    units = {**kept, **dict(_made(tasks, context, progress))}
    ordered = [units[name] for name in names if name in units]
    if len(ordered) < len(names) or not _stand_alone(ordered):
        return None
    stamps = {**done.stamps, **prepared.workspace.stamps}
    for unit in ordered:
        stamps |= unit.reads.stamps
    services = sorted(_outlines(ordered), key=lambda each: each.name)
    done = replace(done, outlines=tuple(services), stamps=stamps)
    together = _together(done, ordered, is_whole=prepared.lint_context.is_whole)
    if together is None:
        return None
    linked = _link(done, ordered, (*asked.diagnostics, *together))
    stated = tuple(each for unit in ordered for each in unit.suppressions)
    told = build.Analysis(done, linked.diagnostics, stated, prepared.lint_context).told()
    if not told.ok:
        return None
    deliver = partial(publish, known=context.known)
    made = Checked(linked.value, told.diagnostics)
    delivered = build.hand_over(request, told.value, made, deliver)
    if cache and delivered.ok:
        for unit in ordered:
            cache.keep(unit)
        if not request.paths:
            cache.keep_only(names)
    return delivered


def _made(
    tasks: list[UnitTask], context: _CompileContext, progress: Progress
) -> Iterator[tuple[str, CompiledUnit]]:
    """Yield the units of some documents; stop after one that fails to compile."""
    for unit in context.ways.workers.make(tasks):
        if has_unsuppressed_errors(unit.diagnostics):
            return
        progress(unit.name)
        yield unit.name, replace(unit, files=context.spool.settle(unit.files))


def _outlines(units: Iterable[CompiledUnit]) -> list[ServiceSummary]:
    return [unit.outline for unit in units if unit.outline]


def _stand_alone(units: list[CompiledUnit]) -> bool:
    """Return whether no diagnostic can need two units: shared names, unused parts, shared files."""
    services = [unit for unit in units if unit.outline]
    used = [name for unit in services for name in unit.reads.files]
    strays = {unit.name for unit in units if not unit.outline} - set(used)
    is_sharing = len(set(used)) < len(used)
    is_clean = not any(unit.diagnostics for unit in services)
    return not names_collide(_outlines(units)) and not strays and (is_clean or not is_sharing)


def _together(
    done: Build, units: list[CompiledUnit], *, is_whole: bool
) -> tuple[Diagnostic, ...] | None:
    """Return the diagnostics about all services, or None if a file that they name has changed."""
    workspace = Workspace(done.project)
    facts = sorted((each.facts for each in units if each.facts), key=lambda each: each.name)
    found = judge_together(facts, workspace, done.project.config, is_whole=is_whole)
    read = {name: known for unit in units for name, known in unit.reads.files.items()}
    return found if workspace.digests.items() <= read.items() else None


def _link(
    done: Build, units: list[CompiledUnit], together: Iterable[Diagnostic]
) -> Checked[tuple[File, ...]]:
    """Return the files of all units, the shared ones, and every diagnostic."""
    found = [*(each for unit in units for each in unit.diagnostics), *together]
    named = {unit.outline.name: unit for unit in units if unit.outline}
    services = [unit for _, unit in sorted(named.items())]
    files = [file for unit in services for file in unit.files]
    for target in done.targets:
        shared = _shared(target, services, done.project.config)
        found += shared.diagnostics
        files += shared.value
    return Checked(tuple(files), tuple(found))


def _shared(
    target: Target, services: list[CompiledUnit], config: Config
) -> Checked[tuple[File, ...]]:
    notes = [unit.notes[target.name] for unit in services]
    made = target.emit_project(notes, context_of(target, config))
    return Checked(files_of([Emission(target.name, tuple(made.value))]), made.diagnostics)
