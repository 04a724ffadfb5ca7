"""Documents through the real front end and all targets, in memory as far as it goes."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from toolspec.diagnostics import Diagnostic, Severity
from toolspec.driver.analysis import AnalysisTask, analyse
from toolspec.driver.build import Build, BuildPlan, Request, link
from toolspec.driver.config import Config, Project
from toolspec.driver.lint.baseline import Baseline
from toolspec.driver.lint.lint import Lint, LintContext
from toolspec.driver.output import check_paths, files_of
from toolspec.driver.workspace import Workspace
from toolspec.ir import Program, Tool
from toolspec.providers.lowered_tools import LoweredTools
from toolspec.providers.lowering import LoweredTool, Lowering
from toolspec.providers.profile import Profile
from toolspec.rules.selection import Plan
from toolspec.targets import discovery
from toolspec.targets.target import EmitContext, Target, emit_program

TARGETS = discovery.built_in()


@dataclass(frozen=True)
class Outcome:
    """What came of some documents: findings, and artifacts where nothing but lint objects."""

    diagnostics: tuple[Diagnostic, ...]
    artifacts: dict[str, str]


class RememberedTools(LoweredTools):
    """Lowered tools that documents share, since most texts of a grid change one tool of several."""

    def __init__(self) -> None:
        super().__init__()
        self._texts: dict[int, tuple[Tool, str]] = {}

    def lowered(self, tool: Tool, profile: Profile) -> LoweredTool:
        if id(tool) not in self._texts:
            self._texts[id(tool)] = (tool, repr(tool))
        text = self._texts[id(tool)][1]
        if text not in _LOWERINGS:
            if len(_LOWERINGS) >= MOST_LOWERINGS:
                _LOWERINGS.clear()
            _LOWERINGS[text] = Lowering(tool)
        return _LOWERINGS[text].to(profile)


_LOWERINGS: dict[str, Lowering] = {}
MOST_LOWERINGS = 40


def compiled(folder: Path, files: dict[str, str], targets: Sequence[Target] = TARGETS) -> Outcome:
    """Return what comes of the documents of a project; the project is gone afterwards.

    Findings of `security/` do not end it: what they refuse must be inert as well, should somebody
    switch them off.
    """
    for path, text in files.items():
        (folder / "specs" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "specs" / path).write_text(text, encoding="utf-8")
    try:
        return _outcome(folder, targets)
    finally:
        shutil.rmtree(folder / "specs")


def _outcome(folder: Path, targets: Sequence[Target]) -> Outcome:
    project = Project(folder, replace(Config(), lint=Lint(plan=Plan())))
    workspace = Workspace(project)
    names = workspace.sources()
    plan = BuildPlan(
        Request(folder=folder),
        Build(project, workspace.out, Program(()), names.value),
        workspace,
        LintContext(project.config.lint, Baseline(), "", is_whole=True, has_all_targets=True),
        names.diagnostics,
    )
    linked = link(
        plan, [analyse(AnalysisTask(project, name, has_service=True)) for name in names.value]
    )
    program = linked.build.program
    found = linked.diagnostics
    shared = EmitContext(lowered_tools=RememberedTools())
    for target in targets:
        for service in program.services:
            found += tuple(target.check_service(service, shared))
    if any(_is_refusal(each) for each in found):
        return Outcome(found, {})
    artifacts: dict[str, str] = {}
    for target in targets:
        emitted = emit_program(target, program, shared=shared)
        found += (*emitted.diagnostics, *check_paths(files_of(target.name, emitted.value)))
        artifacts |= {each.path: each.text for each in emitted.value}
    return Outcome(found, {} if any(_is_refusal(each) for each in found) else artifacts)


def _is_refusal(found: Diagnostic) -> bool:
    return found.severity is Severity.ERROR and not found.code.startswith("security/")
