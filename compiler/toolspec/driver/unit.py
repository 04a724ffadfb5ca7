"""Compiles one service from bytes to files: a pure function that may run in any process."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from toolspec.driver.linting.settling import stops
from toolspec.driver.outline import outline
from toolspec.driver.output import files_of
from toolspec.driver.pipeline import (
    Emission,
    analyse,
    check_targets,
    is_service,
    judge_alone,
    requests,
)
from toolspec.driver.workspace import Workspace
from toolspec.providers.offers import Offers
from toolspec.rules.catalogue import facts
from toolspec.targets import discovery

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolspec.diagnostics import Diagnostic
    from toolspec.driver.config import Project
    from toolspec.driver.outline import Outline
    from toolspec.driver.output import File
    from toolspec.driver.workspace import Seen
    from toolspec.frontend.allowances.allowance import Allowance
    from toolspec.rules.catalogue import ServiceFacts
    from toolspec.syntax.nodes import JsonObject


@dataclass(frozen=True, slots=True)
class Task:
    """Input of a worker: the name of one document, and its files that were read already."""

    project: Project
    name: str
    given: Mapping[str, Seen] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class Reads:
    """Inputs of a service: digests of files by name, and the matches of patterns."""

    files: Mapping[str, str]
    patterns: Mapping[str, tuple[str, ...]]
    stamps: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Unit:
    """Result for one document; without an outline if it is no service or cannot be compiled.

    Suppressions are not applied to its diagnostics yet: that needs those of all units.
    """

    name: str
    reads: Reads
    outline: Outline | None = None
    facts: ServiceFacts | None = None
    notes: Mapping[str, JsonObject] = field(default_factory=dict)
    files: tuple[File, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    allowances: tuple[Allowance, ...] = ()


def make_unit(task: Task) -> Unit:
    """Return the unit of a document: files of this service, and notes for shared ones.

    It reads with a workspace of its own, which is freed before the next service.
    """
    workspace = Workspace(task.project, task.given)
    reads = Reads(workspace.digests, workspace.patterns, workspace.stamps)
    parsed = workspace.document(task.name)
    if parsed.value is not None and not is_service(parsed.value):
        found = (*parsed.diagnostics, *workspace.amiss)
        return Unit(task.name, reads, diagnostics=found, allowances=tuple(workspace.allowances))
    config = task.project.config
    targets = [target for name in config.targets if (target := discovery.find(name))]
    offers = Offers(config.targets, config.declared)
    judge = judge_alone(config, offers)
    analysed = analyse(workspace, [task.name], config.separator, lambda _: None, judge)
    program = analysed.value
    is_sound = not stops(analysed.diagnostics)
    of_targets = check_targets(program, config, targets, offers) if is_sound else ()
    found = (*analysed.diagnostics, *of_targets, *workspace.amiss)
    if stops(found):
        return Unit(task.name, reads, diagnostics=found)
    made = [
        (target.name, target.emit(request))
        for target, request in requests(program, config, targets, offers)
    ]
    (service,) = program.services
    return Unit(
        task.name,
        reads,
        outline(service, offers),
        facts(service, offers),
        {each.name: each.shared.note(service, offers) for each in targets if each.shared},
        files_of(Emission(name, tuple(own.value)) for name, own in made),
        (*found, *(each for _, own in made for each in own.diagnostics)),
        tuple(workspace.allowances),
    )
