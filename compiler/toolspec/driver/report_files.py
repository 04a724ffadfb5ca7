"""Writes reports to files, and to the summary of a GitHub workflow step."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from toolspec.driver import kinds
from toolspec.driver.filesystem import replace_file

if TYPE_CHECKING:
    from collections.abc import Callable

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


def append_step_summary(
    diagnostics: tuple[Diagnostic, ...], shown: Callable[[str], str] = str
) -> tuple[Diagnostic, ...]:
    """Append the diagnostics to the file of `GITHUB_STEP_SUMMARY`, if it is set.

    `shown` is that of a report. Reports a file that cannot be written.
    """
    from toolspec.reports.github import step_summary

    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if not path:
        return ()
    try:
        with Path(path).open("a", encoding="utf-8", newline="\n") as file:
            file.write(step_summary(diagnostics, shown))
    except OSError as error:
        reason = error.strerror or str(error)
        return (kinds.SUMMARY_UNWRITABLE.at(None, path=path, reason=reason),)
    return ()


def path_in_workspace(root: Path) -> str:
    """Return the path of a project in a workflow's repository, as `services/`, or an empty text."""
    home, project = _workspace_of(root), Path(os.path.realpath(root))
    if home is None or project == home:
        return ""
    return f"{project.relative_to(home).as_posix()}/"


def paths_from_here(root: Path) -> Callable[[str], str]:
    """Return a function from the name of a project's file to its path from the working folder."""
    return partial(_path_from, Path(os.path.realpath(os.curdir)), Path(os.path.realpath(root)))


def paths_in_workspace(root: Path) -> Callable[[str], str]:
    """Return a function from the name of a project's file to its path in a workflow's repository.

    Of a project that is not in it, to the path from the working folder.
    """
    home = _workspace_of(root)
    return (
        partial(_path_from, home, Path(os.path.realpath(root))) if home else paths_from_here(root)
    )


def _path_from(folder: Path, root: Path, name: str) -> str:
    """Return the path of a file of a project from a folder; an absolute one stays."""
    if folder == root or os.path.isabs(name):  # noqa: PTH117 - a name is a text
        return name
    return Path(os.path.relpath(root / name, folder)).as_posix()


def _workspace_of(root: Path) -> Path | None:
    """Return the folder of a workflow's repository if a project is in it, or None."""
    workspace = os.environ.get("GITHUB_WORKSPACE")
    home = Path(os.path.realpath(workspace)) if workspace else None
    return home if home and Path(os.path.realpath(root)).is_relative_to(home) else None
