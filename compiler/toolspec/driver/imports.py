"""Foreign catalogues on disk to service documents on disk."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked, Diagnostic
from toolspec.driver import kinds, output_kinds
from toolspec.driver.formatting import UnprintableError, formatted
from toolspec.importers.mcp_tools import import_tools
from toolspec.syntax import parse

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from toolspec.importers.mcp_tools import Imported


@dataclass(frozen=True, slots=True)
class Written:
    """A document that an import wrote, and how many tools it holds."""

    path: str
    tools: int


def import_mcp_tools(
    files: Iterable[Path], to: Path, service: str | None, *, replace: bool = False
) -> Checked[tuple[Written, ...]]:
    """Write a service document for each dump; one that is there already is kept unless `replace`."""
    found: list[Diagnostic] = []
    written: list[Written] = []
    for file in files:
        imported = _read(file, service, found)
        if imported is None:
            continue
        path = to / imported.file_name
        if os.path.lexists(path) and not replace:
            found.append(kinds.IMPORT_EXISTS.at(None, path=str(path)))
            continue
        try:
            to.mkdir(parents=True, exist_ok=True)
            path.unlink(missing_ok=True)  # a link is replaced, never written through
            with path.open("xb") as stream:
                stream.write(_in_form(imported))
        except OSError as error:
            reason = error.strerror or str(error)
            found.append(output_kinds.UNWRITABLE.at(None, path=str(path), reason=reason))
            continue
        written.append(Written(str(path), imported.tools))
    return Checked(tuple(written), tuple(found))


def _read(file: Path, service: str | None, found: list[Diagnostic]) -> Imported | None:
    try:
        data = file.read_bytes()
    except OSError as error:
        reason = error.strerror or str(error)
        found.append(kinds.UNREADABLE.at(None, path=str(file), reason=reason))
        return None
    parsed = parse(file.as_posix(), data)
    found += parsed.diagnostics
    if parsed.value is None:
        return None
    imported = import_tools(parsed.value, service)
    found += imported.diagnostics
    return imported.value


def _in_form(imported: Imported) -> bytes:
    """Return the document as `toolspec fmt` would leave it, if it has a form."""
    data = imported.text.encode("utf-8")
    parsed = parse(imported.file_name, data)
    if parsed.value is None or not parsed.ok:
        return data
    try:
        return formatted(imported.file_name, data, parsed.value)
    except UnprintableError:
        return data
