"""Documents that differ between two folders: only their services have to be compiled and compared."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from toolspec.driver.build import Request, locate
from toolspec.driver.config import find_project
from toolspec.driver.contract.unchanged import has_files
from toolspec.driver.workspace import Workspace
from toolspec.shared.records import replace
from toolspec.syntax.limits import MAX_BYTES

if TYPE_CHECKING:
    from pathlib import Path


def changed_documents(old: Path, new: Path) -> tuple[list[str], list[str]] | None:
    """Return the documents of two folders that may differ, relative to them; None for all.

    These are the documents with other bytes, and those that may read other files. Projects of
    different configurations differ in all.
    """
    before, after = locate(Request(folder=old)), locate(Request(folder=new))
    configs = [replace(each.value.config, out="") for each in (before, after)]
    if configs[0] != configs[1] or before.diagnostics or after.diagnostics:
        return None
    one, other = _documents(old), _documents(new)
    if one is None or other is None:
        return None

    def differs(name: str) -> bool:
        text = one.get(name)
        return text is None or text != other.get(name) or has_files(text)

    return [name for name in one if differs(name)], [name for name in other if differs(name)]


def default_paths(folder: Path) -> tuple[str, ...]:
    """Return the paths that are compared of a folder; none for those of its configuration."""
    project = find_project(folder).value
    if project.is_configured and project.root == folder.resolve():
        return ()
    return ("specs",) if (folder / "specs").is_dir() else (".",)


def _documents(folder: Path) -> dict[str, bytes] | None:
    """Return the documents of a folder by their paths in it; None if one cannot be read."""
    project = locate(Request(folder=folder)).value
    names = Workspace(project).sources(default_paths(folder), folder)
    home = folder.resolve()
    documents: dict[str, bytes] = {}
    try:
        for name in names.value:
            with (project.root / name).open("rb") as file:
                documents[os.path.relpath(project.root / name, home)] = file.read(MAX_BYTES + 1)
    except OSError:
        return None
    missing = [each.code for each in names.diagnostics if each.code != "project/no-specs"]
    return None if missing else documents
