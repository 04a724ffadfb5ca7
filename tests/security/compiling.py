"""Documents through the real front end and all targets, in memory as far as it goes."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from toolspec.diagnostics import Diagnostic, Severity
from toolspec.driver.config import Config, Project
from toolspec.driver.output import check_paths, files_of
from toolspec.driver.pipeline import analyse, check_targets, emit
from toolspec.driver.workspace import Workspace
from toolspec.providers.lowered_tools import LoweredTools
from toolspec.targets import discovery

TARGETS = discovery.built_in()


@dataclass(frozen=True)
class Outcome:
    """What came of some documents: findings, and artifacts where nothing but lint objects."""

    diagnostics: tuple[Diagnostic, ...]
    artifacts: dict[str, str]


def compiled(folder: Path, files: dict[str, str]) -> Outcome:
    """Return what comes of the documents of a project; the project is gone afterwards.

    Findings of `security/` do not end it: what they refuse must be inert as well, should somebody
    switch them off.
    """
    for path, text in files.items():
        (folder / "specs" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "specs" / path).write_text(text, encoding="utf-8")
    try:
        return _outcome(folder)
    finally:
        shutil.rmtree(folder / "specs")


def _outcome(folder: Path) -> Outcome:
    config = Config()
    workspace = Workspace(Project(folder, config))
    names = workspace.sources(config.specs, folder)
    checked = analyse(workspace, names.value, config.separator, lambda _: None)
    found = (*names.diagnostics, *checked.diagnostics)
    found += check_targets(checked.value, config, TARGETS, LoweredTools())
    if any(_is_refusal(each) for each in found):
        return Outcome(found, {})
    emitted = emit(checked.value, config, TARGETS, lambda _: None, LoweredTools())
    found += (*emitted.diagnostics, *check_paths(files_of(emitted.value)))
    if any(_is_refusal(each) for each in found):
        return Outcome(found, {})
    artifacts = [artifact for emission in emitted.value for artifact in emission.artifacts]
    return Outcome(found, {each.path: each.text for each in artifacts})


def _is_refusal(found: Diagnostic) -> bool:
    return found.severity is Severity.ERROR and not found.code.startswith("security/")
