"""Imports foreign catalogs into service documents."""

from __future__ import annotations

import json
import os
from datetime import date, timedelta
from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked, Diagnostic
from toolspec.driver import kinds, output_kinds
from toolspec.driver.clock import today
from toolspec.driver.formatting import UnprintableError, formatted
from toolspec.driver.import_check import ImportCheck
from toolspec.driver.lint.suppressions import is_suppressible
from toolspec.frontend.naming.collisions import LONGEST
from toolspec.importers.dump import read_dump
from toolspec.importers.legal import is_service_name
from toolspec.importers.mcp_tools import ImportPlan, import_dump
from toolspec.importers.nao import read_nao
from toolspec.importers.tool import Changes, ImportedSuppression, tool_order
from toolspec.schema.instances import FORMAT_SWITCH
from toolspec.shared import records
from toolspec.shared.records import dataclass
from toolspec.syntax import parse
from toolspec.syntax.pointer import parse_pointer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from toolspec.importers.dump import Dump, Origin
    from toolspec.importers.mcp_tools import ImportedService
    from toolspec.syntax.nodes import Document, JsonObject

_NAO_FOLDERS = ("tools", ".nao")
_RECEIVED = "tools-list.json"
"""Name of a received list in diagnostics."""
MAX_ROUNDS = 20
"""Maximum number of compiles of a document before its import fails."""
REVIEW_DAYS = 90
"""How long an import suppresses a rule whose suppressions need an end."""
_OF_A_TOOL = 2  # steps of a path to a tool: `tools` and its index
_REQUIRED = frozenset({"name", "description", "inputSchema", "outputSchema", "mutation", "source"})
_DATED = ("security/", "safety/")


@dataclass(frozen=True, slots=True)
class ImportedDocument:
    """A document that an import wrote, with its number of tools."""

    path: str
    tools: int


@dataclass(frozen=True, slots=True)
class Destination:
    """Folder of imported documents, and the choices of the caller for them.

    `service` names the service; with `keeps_names` tools keep their public names; `replace`
    overwrites existing documents.
    """

    folder: Path
    service: str | None = None
    keeps_names: bool = False
    replace: bool = False


def import_mcp_tools(
    files: Iterable[Path], to: Path, service: str | None, *, replace: bool = False
) -> Checked[tuple[ImportedDocument, ...]]:
    """Write a service document for each `tools/list` dump."""
    return import_files(files, Destination(to, service, replace=replace), read_dump)


def import_files(
    files: Iterable[Path],
    destination: Destination,
    read: Callable[[Document], Checked[Dump | None]],
) -> Checked[tuple[ImportedDocument, ...]]:
    """Write a service document for each file, whose list `read` returns."""

    def lists() -> Iterator[Checked[Dump | None]]:
        for file in files:
            document = read_document(file)
            if document.value is None:
                yield Checked(None, document.diagnostics)
                continue
            dump = read(document.value)
            diagnostics = (*document.diagnostics, *dump.diagnostics)
            yield Checked(dump.value if dump.ok else None, diagnostics)

    return _write(lists(), destination)


def import_nao(
    files: Sequence[Path], destination: Destination
) -> Checked[tuple[ImportedDocument, ...]]:
    """Write one service document for the tool files of Nao, if none has an error.

    The service is named after the folder of the first one; `tools` and `.nao` are not names.
    """
    documents = [read_document(file) for file in files]
    diagnostics = tuple(each for document in documents for each in document.diagnostics)
    folders = files[0].resolve().parents if files else ()
    name = next((each.name for each in folders if each.name not in _NAO_FOLDERS), "")
    read = read_nao((each.value for each in documents if each.value is not None), name or "nao")
    is_whole = read.ok and all(each.value is not None for each in documents)
    dump = read.value if is_whole else None
    return _write([Checked(dump, (*diagnostics, *read.diagnostics))], destination)


def import_server(
    listed: JsonObject, origin: Origin, destination: Destination
) -> Checked[tuple[ImportedDocument, ...]]:
    """Write the service document of the list that a running server sent."""
    document = parse(_RECEIVED, json.dumps(listed, indent=2).encode())
    if document.value is None:
        return Checked((), document.diagnostics)
    read = read_dump(document.value)
    dump = records.replace(read.value, origin=origin) if read.value and read.ok else None
    diagnostics = (*document.diagnostics, *read.diagnostics)
    return _write([Checked(dump, diagnostics)], destination)


def _write(
    lists: Iterable[Checked[Dump | None]], destination: Destination
) -> Checked[tuple[ImportedDocument, ...]]:
    """Write a service document for each list.

    It compiles under the configuration of the destination folder.
    """
    diagnostics: list[Diagnostic] = []
    written: list[ImportedDocument] = []
    to, check = destination.folder, ImportCheck(destination.folder)
    for read in lists:
        diagnostics += read.diagnostics
        if read.value is None:
            continue
        fitted = _compilable(read.value, destination, check)
        diagnostics += fitted.diagnostics
        imported = fitted.value
        if imported is None:
            continue
        path = to / imported.file_name
        if os.path.lexists(path) and not destination.replace:
            diagnostics.append(kinds.IMPORT_EXISTS.at(None, path=str(path)))
            continue
        try:
            to.mkdir(parents=True, exist_ok=True)
            path.unlink(missing_ok=True)  # a link is replaced, not written through
            with path.open("xb") as stream:
                stream.write(in_form(imported.file_name, imported.text))
        except OSError as error:
            reason = error.strerror or str(error)
            diagnostics.append(output_kinds.UNWRITABLE.at(None, path=str(path), reason=reason))
            continue
        written.append(ImportedDocument(str(path), imported.tools))
    return Checked(tuple(written), tuple(diagnostics))


def read_document(file: Path) -> Checked[Document | None]:
    """Return a document of the user, with what is wrong about it; None if it cannot be read."""
    try:
        data = file.read_bytes()
    except OSError as error:
        reason = error.strerror or str(error)
        return Checked(None, (kinds.UNREADABLE.at(None, path=str(file), reason=reason),))
    parsed = parse(file.as_posix(), data)
    return Checked(parsed.value, parsed.diagnostics)


def _compilable(
    dump: Dump, destination: Destination, check: ImportCheck
) -> Checked[ImportedService | None]:
    """Return an import whose document compiles, or None with an error.

    Each round compiles the document in memory and changes the plan for each error: a shorter name
    of the service, `formats: annotate`, a suppression of a rule, a member kept aside, a tool left
    out.
    """
    plan, rounds = ImportPlan(destination.keeps_names), 0
    service = destination.service
    while True:
        imported = import_dump(dump, service, plan)
        if imported.value is None:
            return imported
        errors = check.run({check.name_of(imported.value.file_name): imported.value.text}).errors
        if not errors:
            return imported
        changed = adapted(plan, imported.value, errors, is_named=service is not None)
        rounds += 1
        if changed == plan or rounds == MAX_ROUNDS:
            return Checked(None, (*imported.diagnostics, *errors))
        plan = changed


def adapted(
    plan: ImportPlan, imported: ImportedService, errors: Iterable[Diagnostic], *, is_named: bool
) -> ImportPlan:
    """Return a plan that avoids the errors of a document; the same plan without errors."""
    changes, left_out = dict(plan.changes), dict(plan.left_out)
    suppressions = plan.suppressions
    for error in errors:
        if error.code == "naming/too-long" and not is_named:
            shorter = _shorter_name(imported)
            if shorter:
                return records.replace(plan, service=shorter)
        steps = parse_pointer(error.subject.pointer)
        index = _origin(imported, steps)
        if index is None:
            if is_suppressible(error) and all(
                suppression.rule != error.code for suppression in suppressions
            ):
                suppressions = (*suppressions, suppression_of(error))
            continue
        if index in plan.left_out:
            continue
        planned = changes.get(index, Changes())
        changed = _changed(planned, error, str(steps[2]) if len(steps) > _OF_A_TOOL else "")
        if changed is not None:
            changes[index] = changed
        elif plan.changes.get(index, Changes()) == planned:
            left_out[index] = error.message
    return records.replace(plan, suppressions=suppressions, changes=changes, left_out=left_out)


def _changed(changes: Changes, error: Diagnostic, member: str) -> Changes | None:
    """Return the changes that avoid one more error of a tool, or None."""
    if FORMAT_SWITCH in error.help and not changes.unformatted:
        return records.replace(changes, unformatted=error.message)
    if is_suppressible(error) and all(
        suppression.rule != error.code for suppression in changes.suppressions
    ):
        suppressions = (*changes.suppressions, suppression_of(error))
        return records.replace(changes, suppressions=suppressions)
    if not is_suppressible(error) and member in _optional_members() and member not in changes.aside:
        return records.replace(changes, aside={**changes.aside, member: error.message})
    return None


def _origin(imported: ImportedService, steps: Sequence[str | int]) -> int | None:
    """Return the index in the dump of the tool at a path."""
    if len(steps) < _OF_A_TOOL or steps[0] != "tools":
        return None
    return imported.origins[int(steps[1])]


def _optional_members() -> frozenset[str]:
    return frozenset(tool_order()) - _REQUIRED


def suppression_of(error: Diagnostic) -> ImportedSuppression:
    """Return the suppression of an error in an imported document."""
    ends = error.code.startswith(_DATED)
    until = date.fromisoformat(today()) + timedelta(days=REVIEW_DAYS)
    return ImportedSuppression(
        error.code,
        "declared by the server, as imported",
        error.message,
        str(until) if ends else "",
    )


def _shorter_name(imported: ImportedService) -> str:
    """Return the service's name without its last words, so that every full name fits, or ""."""
    service, tools = imported.value["service"], imported.value["tools"]
    assert isinstance(service, dict)
    assert isinstance(tools, list)
    longest = max(len(str(tool["name"])) for tool in tools if isinstance(tool, dict))
    words = str(service["name"]).split("-")
    for count in range(len(words) - 1, 0, -1):
        name = "-".join(words[:count])
        if len(name) + 1 + longest <= LONGEST and is_service_name(name):
            return name
    return ""


def in_form(name: str, text: str) -> bytes:
    """Return a document as `toolspec fmt` formats it, if it can be formatted."""
    data = text.encode("utf-8")
    parsed = parse(name, data)
    if parsed.value is None or not parsed.ok:
        return data
    try:
        return formatted(name, data, parsed.value)
    except UnprintableError:
        return data
