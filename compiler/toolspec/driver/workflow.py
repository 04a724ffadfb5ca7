"""A workflow of GitHub, as its environment tells of it: the repository, and the summary of a step."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from toolspec.driver import kinds

if TYPE_CHECKING:
    from toolspec.diagnostics import Diagnostic


def append_step_summary(diagnostics: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """Append the findings to the file of `GITHUB_STEP_SUMMARY`; nothing where there is none.

    Complains of a file that can't be written.
    """
    from toolspec.reports.step_summary import step_summary

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
    """Return what leads from the repository of a workflow to a project in it, as `services/`; else nothing."""
    workspace = os.environ.get("GITHUB_WORKSPACE")
    if not workspace:
        return ""
    home, project = Path(os.path.realpath(workspace)), Path(os.path.realpath(root))
    if project == home or not project.is_relative_to(home):
        return ""
    return f"{project.relative_to(home).as_posix()}/"
