"""Compiles imported documents before they are written."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked, Diagnostic, Severity
from toolspec.driver.analysis import Analysis, AnalysisTask, analyse, in_order
from toolspec.driver.build import Request, locate
from toolspec.driver.clock import today
from toolspec.driver.lint.baseline import Baseline
from toolspec.driver.lint.lint import LintContext
from toolspec.driver.lint.suppressions import apply_suppressions
from toolspec.driver.workspace import FileSnapshot, Workspace
from toolspec.frontend.includes import expand
from toolspec.shared.records import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolspec.syntax.nodes import Document


@dataclass(frozen=True, slots=True)
class ImportResult:
    """Analysis of an imported service, and its errors that have no suppression."""

    analysis: Analysis
    errors: tuple[Diagnostic, ...]


class ImportCheck:
    """Compiles unwritten documents under the configuration of their folder."""

    def __init__(self, folder: Path) -> None:
        near = next(parent for parent in (folder, *folder.parents) if parent.is_dir())
        project = locate(Request(folder=near)).value
        if not project.is_configured and project.root.is_relative_to(Path.cwd()):
            project = replace(project, root=Path.cwd())  # what names in diagnostics begin at
        self._folder = folder
        self.project = project

    def run(self, texts: Mapping[str, str]) -> ImportResult:
        """Return the analysis of a service by its files, named as in the project, the document first."""
        snapshots = {name: FileSnapshot("", text.encode("utf-8")) for name, text in texts.items()}
        config = self.project.config
        analysis = analyse(AnalysisTask(self.project, next(iter(snapshots)), snapshots))
        lint_context = LintContext(
            config.lint, Baseline(), today(), is_whole=False, has_all_targets=False
        )
        result = apply_suppressions(
            in_order(analysis.diagnostics), analysis.suppressions, lint_context
        )
        errors = tuple(
            diagnostic
            for diagnostic in result.diagnostics
            if diagnostic.severity is Severity.ERROR and diagnostic.suppression is None
        )
        return ImportResult(analysis, errors)

    def documents(self, file: str) -> Checked[dict[str, Document]]:
        """Return the document of an existing service and its included files, by name."""
        workspace = Workspace(self.project)
        read = workspace.document(self.name_of(file))
        if read.value is None or not read.ok:
            return Checked({}, read.diagnostics)
        unit = expand(read.value, workspace)
        documents = {document.source.path: document for document in unit.value.documents}
        return Checked(documents if unit.ok else {}, unit.diagnostics)

    def name_of(self, file: str) -> str:
        """Return the name of a file in the project; of one outside, its own."""
        name = os.path.relpath(self._folder / file, self.project.root)
        return file if name.startswith("..") else name.replace(os.sep, "/")
