"""Compiles one service from bytes to files: a pure function that may run in any process."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from toolspec.driver.lint.suppressions import has_unsuppressed_errors
from toolspec.driver.output import files_of
from toolspec.driver.pipeline import (
    Emission,
    analyse,
    check_targets,
    contexts,
    is_service,
    judge_alone,
)
from toolspec.driver.service_summary import summarize
from toolspec.driver.workspace import Workspace
from toolspec.providers.lowered_tools import LoweredTools
from toolspec.rules.catalogue import facts
from toolspec.targets import discovery

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolspec.diagnostics import Diagnostic
    from toolspec.driver.config import Project
    from toolspec.driver.output import File
    from toolspec.driver.service_summary import ServiceSummary
    from toolspec.driver.workspace import FileSnapshot
    from toolspec.frontend.suppressions.suppression import DocumentSuppression
    from toolspec.rules.catalogue import ServiceFacts
    from toolspec.syntax.nodes import JsonObject


@dataclass(frozen=True, slots=True)
class UnitTask:
    """Input of a worker: the name of one document, and its files that were read already."""

    project: Project
    name: str
    given: Mapping[str, FileSnapshot] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class UnitInputs:
    """Inputs of a service: digests of files by name, and the matches of patterns."""

    files: Mapping[str, str]
    patterns: Mapping[str, tuple[str, ...]]
    stamps: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class CompiledUnit:
    """Result for one document; without an outline if it is no service or cannot be compiled.

    Suppressions are not applied to its diagnostics yet: that needs those of all units.
    """

    name: str
    reads: UnitInputs
    outline: ServiceSummary | None = None
    facts: ServiceFacts | None = None
    notes: Mapping[str, JsonObject] = field(default_factory=dict)
    files: tuple[File, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    suppressions: tuple[DocumentSuppression, ...] = ()


def make_unit(task: UnitTask) -> CompiledUnit:
    """Return the unit of a document: files of this service, and notes for shared ones.

    It reads with a workspace of its own, which is freed before the next service.
    """
    workspace = Workspace(task.project, task.given)
    reads = UnitInputs(workspace.digests, workspace.patterns, workspace.stamps)
    parsed = workspace.document(task.name)
    if parsed.value is not None and not is_service(parsed.value):
        found = (*parsed.diagnostics, *workspace.diagnostics)
        return CompiledUnit(
            task.name, reads, diagnostics=found, suppressions=tuple(workspace.suppressions)
        )
    config = task.project.config
    targets = [target for name in config.targets if (target := discovery.find(name))]
    lowered_tools = LoweredTools(config.targets, config.declared)
    judge = judge_alone(config, lowered_tools)
    analysed = analyse(workspace, [task.name], config.separator, lambda _: None, judge)
    program = analysed.value
    is_sound = not has_unsuppressed_errors(analysed.diagnostics)
    of_targets = check_targets(program, config, targets, lowered_tools) if is_sound else ()
    found = (*analysed.diagnostics, *of_targets, *workspace.diagnostics)
    if has_unsuppressed_errors(found):
        return CompiledUnit(task.name, reads, diagnostics=found)
    (service,) = program.services
    made = {
        target.name: target.emit_service(service, context)
        for target, context in contexts(config, targets, lowered_tools)
    }
    return CompiledUnit(
        task.name,
        reads,
        summarize(service, lowered_tools),
        facts(service, lowered_tools),
        {name: each.note for name, each in made.items()},
        files_of(Emission(name, tuple(each.artifacts)) for name, each in made.items()),
        (*found, *(diagnostic for each in made.values() for diagnostic in each.diagnostics)),
        tuple(workspace.suppressions),
    )
