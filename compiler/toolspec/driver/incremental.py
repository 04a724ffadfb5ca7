"""A compile by units: those that did not change are taken from the cache, the others made by workers.

It writes what `build.compile_specs` writes and finds what it finds; a test holds the two together.
Wherever services have more to do with each other than sharing a few files, that one is asked.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked, has_errors
from toolspec.driver import build
from toolspec.driver.outline import meet
from toolspec.driver.output import files_of, publish
from toolspec.driver.pipeline import Emission, in_order
from toolspec.driver.unit import Task
from toolspec.driver.unit_cache import UnitCache
from toolspec.driver.workers import Workers
from toolspec.frontend.naming.join import is_proven
from toolspec.targets import discovery

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolspec.diagnostics import Diagnostic
    from toolspec.driver.build import Build, Request
    from toolspec.driver.outline import Outline
    from toolspec.driver.pipeline import Progress
    from toolspec.driver.unit import Unit
    from toolspec.targets.target import Target


@dataclass(frozen=True, slots=True)
class Ways:
    """How a compile goes about its work; what it makes is the same for all of them."""

    workers: Workers = field(default_factory=Workers)
    is_cached: bool = True


def compile_specs(
    request: Request, ways: Ways, progress: Progress = lambda _: None
) -> Checked[Build]:
    """Return what `build.compile_specs` does, done in the ways that are given."""
    prepared = build.prepare(request)
    done, names = prepared.value.build, prepared.value.names
    built_in = discovery.built_in()
    separator = done.project.config.separator
    if (
        prepared.diagnostics
        or not is_proven(separator)
        or not all(t in built_in for t in done.targets)
    ):
        return build.compile_specs(request, progress)
    cache = UnitCache(done.project, done.out) if ways.is_cached else None
    known = {name: unit for name in names if cache and (unit := cache.find(name))}
    given = cache.given if cache else {}
    tasks = [
        Task(done.project, name, {name: given[name]} if name in given else {})
        for name in names
        if name not in known
    ]
    units = {**known, **_made(tasks, ways, progress)}
    ordered = [units[name] for name in names if name in units]
    if len(ordered) < len(names) or not _stand_alone(ordered):
        return build.compile_specs(request, progress)
    linked = _link(done, ordered)
    stamps = {**done.stamps, **prepared.value.workspace.stamps}
    for unit in ordered:
        stamps |= unit.reads.stamps
    services = sorted(_outlines(ordered), key=lambda each: each.name)
    done = replace(done, outlines=tuple(services), stamps=stamps)
    files = Checked(files_of(linked.value), linked.diagnostics)
    delivered = build.hand_over(request, done, files, publish)
    if cache and delivered.ok:
        for unit in ordered:
            if unit is not known.get(unit.name):
                cache.keep(unit)
    return delivered


def _made(tasks: list[Task], ways: Ways, progress: Progress) -> dict[str, Unit]:
    """Return the units of some documents; after one with an error the rest is not worth making."""
    made: dict[str, Unit] = {}
    for unit in ways.workers.make(tasks):
        if has_errors(unit.diagnostics):
            break
        progress(unit.name)
        made[unit.name] = unit
    return made


def _outlines(units: Iterable[Unit]) -> list[Outline]:
    return [unit.outline for unit in units if unit.outline]


def _stand_alone(units: list[Unit]) -> bool:
    """Whether no finding could need two units: names that meet, parts that nobody uses, or shares."""
    services = [unit for unit in units if unit.outline]
    used = [name for unit in services for name in unit.reads.files]
    strays = {unit.name for unit in units if not unit.outline} - set(used)
    is_sharing = len(set(used)) < len(used)
    is_clean = not any(unit.diagnostics for unit in services)
    return not meet(_outlines(units)) and not strays and (is_clean or not is_sharing)


def _link(done: Build, units: list[Unit]) -> Checked[tuple[Emission, ...]]:
    """Return the files of all units with those that they share, and every finding."""
    found: list[Diagnostic] = [each for unit in units for each in unit.diagnostics]
    named = {unit.outline.name: unit for unit in units if unit.outline}
    services = [unit for _, unit in sorted(named.items())]
    emissions = []
    for target in done.targets:
        artifacts = [
            artifact
            for unit in services
            for emission in unit.emissions
            if emission.target == target.name
            for artifact in emission.artifacts
        ]
        shared = _shared(target, services, done.project.config.separator)
        found += shared.diagnostics
        artifacts += [each for emission in shared.value for each in emission.artifacts]
        emissions.append(Emission(target.name, tuple(artifacts)))
    return Checked(tuple(emissions), in_order(found))


def _shared(target: Target, services: list[Unit], separator: str) -> Checked[tuple[Emission, ...]]:
    if target.shared is None:
        return Checked(())
    notes = [unit.notes[target.name] for unit in services]
    made = target.shared.emit(notes, separator)
    return Checked((Emission(target.name, tuple(made.value)),), made.diagnostics)
