"""Environment of a GitHub workflow: the repository, and the summary of a step."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from toolspec.driver import kinds

if TYPE_CHECKING:
    from toolspec.diagnostics import Diagnostic


def append_step_summary(diagnostics: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """Append the diagnostics to the file of `GITHUB_STEP_SUMMARY`, if it is set.

    Reports a file that cannot be written.
    """
    from toolspec.reports.github import step_summary

    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if not path:
        return ()
    try:
        with Path(path).open("a", encoding="utf-8", newline="\n") as file:
            file.write(step_summary(diagnostics))
    except OSError as error:
        reason = error.strerror or str(error)
        return (kinds.SUMMARY_UNWRITABLE.at(None, path=path, reason=reason),)
    return ()


def path_in_workspace(root: Path) -> str:
    """Return the path of a project in a workflow's repository, as `services/`, or an empty text."""
    workspace = os.environ.get("GITHUB_WORKSPACE")
    if not workspace:
        return ""
    home, project = Path(os.path.realpath(workspace)), Path(os.path.realpath(root))
    if project == home or not project.is_relative_to(home):
        return ""
    return f"{project.relative_to(home).as_posix()}/"
