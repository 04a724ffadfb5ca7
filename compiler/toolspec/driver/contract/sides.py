"""Reading of a side: a project, a folder of documents, or a list of tools in a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked, Severity
from toolspec.driver.build import Request, check
from toolspec.driver.contract.dumps import dump_side
from toolspec.driver.contract.facts import program_side
from toolspec.driver.imports import read_document
from toolspec.importers.dump import read_dump
from toolspec.shared.records import replace

if TYPE_CHECKING:
    from pathlib import Path

    from toolspec.changes.side import Side


def read_side(path: Path) -> Checked[Side | None]:
    """Return the side at a path, with what is wrong about it; None if nothing can be compared.

    What does not compile is left out and named: the rest is compared.
    """
    return _compiled(path) if path.is_dir() else _dumped(path)


def _compiled(folder: Path) -> Checked[Side | None]:
    is_project = (folder / "toolspec.toml").is_file() or (folder / "specs").is_dir()
    checked = check(Request(paths=() if is_project else (".",), folder=folder))
    errors = tuple(
        each
        for each in checked.diagnostics
        if each.severity is Severity.ERROR and each.suppression is None
    )
    side = program_side(checked.value.program, str(folder))
    unresolved = dict.fromkeys(each.subject.tool or each.subject.service for each in errors)
    if not side.tools:
        return Checked(None, errors)
    return Checked(replace(side, unresolved=tuple(filter(None, unresolved))), errors)


def _dumped(path: Path) -> Checked[Side | None]:
    parsed = read_document(path)
    if parsed.value is None:
        return Checked(None, parsed.diagnostics)
    dump = read_dump(parsed.value)
    side = dump_side(dump.value, str(path)) if dump.value else None
    return Checked(side, (*parsed.diagnostics, *dump.diagnostics))
