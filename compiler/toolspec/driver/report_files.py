"""Writes reports to files, and to the summary of a GitHub workflow step."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from toolspec.driver import kinds
from toolspec.driver.filesystem import replace_file

if TYPE_CHECKING:
    from toolspec.diagnostics import Diagnostic


def obstacle(path: str) -> str:
    """Return why a path cannot be written, as checked in advance, or an empty text."""
    if not path:
        return "name a file after the `=`"
    file = Path(os.path.realpath(path))
    if file.is_dir():
        return "it is a folder"
    if not file.parent.is_dir():
        return f"there is no folder `{Path(path).parent}`"
    needed = (file,) if _is_stream(path) else (file, file.parent)
    is_free = all(os.access(target, os.W_OK) for target in needed if target.exists())
    return "" if is_free else "it is read-only"


def same_file(one: str, other: str) -> bool:
    """Return whether two paths lead to one file, which need not exist yet."""
    return os.path.realpath(one) == os.path.realpath(other)


def write_report(path: str, text: str) -> tuple[Diagnostic, ...]:
    """Replace a report; return a diagnostic if that fails.

    A link stays, and its target is replaced. A device or a pipe is written to.
    """
    file = Path(os.path.realpath(path))
    try:
        if _is_stream(path):
            with Path(path).open("a", encoding="utf-8", newline="\n") as stream:
                stream.write(text)
        else:
            replace_file(file, text)
    except OSError as error:
        reason = error.strerror or str(error)
        return (kinds.REPORT_UNWRITABLE.at(None, path=path, reason=reason),)
    return ()


def _is_stream(path: str) -> bool:
    """Return whether a path is a device or pipe; `/dev/stdout` may be redirected to a file."""
    file = Path(path)
    return path.startswith(("/dev/", "/proc/")) or (file.exists() and not file.is_file())


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
