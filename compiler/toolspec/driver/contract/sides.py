"""Reading of a side: a project, a folder of documents, a revision, a contract, or a list of tools."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from toolspec.changes.contract import ContractError, contract_of, is_contract
from toolspec.changes.listed import listed_side
from toolspec.diagnostics import Checked, Diagnostic, Severity
from toolspec.driver.analysis import intact, is_service
from toolspec.driver.build import Request, check
from toolspec.driver.config import Config, find_project
from toolspec.driver.contract.changed_documents import changed_documents, default_paths
from toolspec.driver.contract.contract_form import with_checked_facts
from toolspec.driver.contract.contract_kinds import BAD_CONTRACT
from toolspec.driver.contract.facts import contract_side
from toolspec.driver.contract.locations import (
    ContractLocations,
    DumpLocations,
    Locations,
    ProgramLocations,
)
from toolspec.driver.contract.policy import ContractPolicy, Versions
from toolspec.driver.contract.revisions import copied_revision
from toolspec.driver.contract.unchanged import is_unchanged
from toolspec.driver.imports import read_document
from toolspec.frontend import naming
from toolspec.importers.dump import read_dump
from toolspec.ir import Program
from toolspec.shared.records import dataclass, field, replace

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from toolspec.changes.change import Place
    from toolspec.changes.side import Side
    from toolspec.frontend.allow_syntax.parsed import DocumentSuppression
    from toolspec.source import Span
    from toolspec.syntax.nodes import Document


@dataclass(frozen=True, slots=True)
class Reading:
    """A side with the locations of its facts.

    `root` is the folder that the paths of its documents are relative to. They are shown as `shown_path`
    returns, with `suffix` after them. `files` are the documents of services, and `unread` those that
    declare no service that could be read, both relative to the compared folder. `policy` is that of
    a project, `suppressions` are those in its documents, `claims` the names that no other service of it
    may have; `deprecated_on` is the history of a contract.
    """

    side: Side
    locations: Locations = field(repr=False)
    root: Path
    shown_path: Callable[[str], str] = field(default=str, repr=False)
    suffix: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    unread: frozenset[str] = frozenset()
    policy: ContractPolicy | None = None
    suppressions: tuple[DocumentSuppression, ...] = field(default=(), repr=False)
    claims: frozenset[str] = frozenset()
    deprecated_on: Mapping[str, str] = field(default_factory=dict)

    def span(self, place: Place) -> Span | None:
        """Return the span of a fact, or of the nearest part around it; None if there is none."""
        return self.locations.find(place)

    def shown(self, place: Place) -> str:
        """Return file and line of a fact; empty if it is written nowhere."""
        span = self.locations.find(place)
        if span is None:
            return ""
        return f"{self.shown_path(span.source.path)}:{span.first.line}{self.suffix}"


def read_version(word: str) -> Checked[Reading | None]:
    """Return the side at a path or, if there is none, at a revision with this name."""
    if not Path(word).exists():
        revised = read_revision(word, Path())
        if all(not each.code.startswith("project/missing-") for each in revised.diagnostics):
            return revised
    return read_side(Path(word))


def read_side(path: Path) -> Checked[Reading | None]:
    """Return the side at a path, with what is wrong about it; None if nothing can be compared.

    What does not compile is left out and named: the rest is compared.
    """
    if path.is_dir():
        return _compiled(path, str(path), str(path))
    parsed = read_document(path)
    if parsed.value is None:
        return Checked(None, parsed.diagnostics)
    if is_service(parsed.value):
        return _compiled(path.parent, str(path), str(path.parent), documents=(path.name,))
    if is_contract(parsed.value.value):
        return _contract(path, parsed.value)
    dump = read_dump(parsed.value)
    if dump.value is None:
        return Checked(None, (*parsed.diagnostics, *dump.diagnostics))
    tools = ({**tool.members, "name": tool.name} for tool in dump.value.tools)
    side = listed_side(tools, str(path), dump.value.instructions)
    reading = Reading(side, DumpLocations(dump.value), Path.cwd())
    return Checked(reading, (*parsed.diagnostics, *dump.diagnostics))


def _contract(path: Path, document: Document) -> Checked[Reading | None]:
    try:
        contract = with_checked_facts(contract_of(document.value))
    except ContractError as error:
        span = document.location().span
        return Checked(None, (BAD_CONTRACT.at(span, problem=str(error)),))
    side, locations = contract.side(str(path)), ContractLocations(document)
    return Checked(Reading(side, locations, Path.cwd(), deprecated_on=contract.deprecated_on))


def read_revision(revision: str, folder: Path) -> Checked[Reading | None]:
    """Return a folder's side at a revision, as `read_side`; it is empty if there were no specs."""
    with copied_revision(revision, folder) as copied:
        if copied.value is None or copied.diagnostics:
            return Checked(None, copied.diagnostics)
        return _of_copy(copied.value, revision)


def read_changed(
    revision: str, folder: Path
) -> tuple[Checked[Reading | None], Checked[Reading | None]]:
    """Return a folder's sides at a revision and now, without services whose files are the same."""
    if is_unchanged(revision, str(folder)):
        return Checked(_empty(folder, revision)), Checked(_empty(folder, str(folder)))
    with copied_revision(revision, folder) as copied:
        if copied.value is None or copied.diagnostics:
            return Checked(None, copied.diagnostics), Checked(None)
        old, new = changed_documents(copied.value, folder) or (None, None)
        before = _of_copy(copied.value, revision, old)
        after = _compiled(folder, str(folder), str(folder), documents=new)
        if new is not None and not _claims(after) <= _claims(before):
            # A document that is the same may have a new name already.
            before = _of_copy(copied.value, revision)
            after = _compiled(folder, str(folder), str(folder))
        return before, after


def _claims(read: Checked[Reading | None]) -> frozenset[str]:
    return read.value.claims if read.value else frozenset()


def _of_copy(
    folder: Path, revision: str, documents: Collection[str] | None = None
) -> Checked[Reading | None]:
    read = _compiled(folder, revision, "", f" at {revision}", documents=documents)
    codes = {diagnostic.code for diagnostic in read.diagnostics}
    if read.value is None and codes == {"project/no-specs"}:
        return Checked(_empty(folder, revision))
    return read


def _empty(folder: Path, label: str) -> Reading:
    program = Program(())
    side = contract_side(program, label, (), Config())
    return Reading(side, ProgramLocations(program), folder)


def paired(old: Reading, new: Reading) -> Versions:
    """Return both sides; what one cannot show because of a broken document is named as unresolved."""
    return Versions(
        _with_hidden(old, new),
        _with_hidden(new, old),
        new.span,
        old.span,
        new.suppressions,
        old.deprecated_on,
    )


def policy_of(reading: Reading) -> Checked[ContractPolicy]:
    """Return the policy of a project; for another version, that of the project around the work."""
    if reading.policy:
        return Checked(reading.policy)
    found = find_project(Path.cwd())
    errors = tuple(each for each in found.diagnostics if each.severity is Severity.ERROR)
    return Checked(found.value.config.policy or ContractPolicy(), errors)


def _with_hidden(reading: Reading, other: Reading) -> Side:
    side = reading.side
    hidden = [name for name, file in other.files.items() if file in reading.unread]
    names = dict.fromkeys(
        (*side.unresolved, *(name for name in hidden if name not in side.services))
    )
    return replace(side, unresolved=tuple(names))


def _compiled(
    folder: Path,
    label: str,
    prefix: str,
    suffix: str = "",
    *,
    documents: Collection[str] | None = None,
) -> Checked[Reading | None]:
    """Return the side of a folder, or of some documents in it."""
    if documents is not None and not documents:
        return Checked(_empty(folder, label))
    paths = default_paths(folder) if documents is None else tuple(documents)
    checked = check(Request(paths=paths, folder=folder, has_rules=False))
    errors = tuple(
        each
        for each in checked.diagnostics
        if each.severity is Severity.ERROR and each.suppression is None
    )
    whole = checked.value.program
    program = _sound(whole, errors)
    build = checked.value
    side = contract_side(program, label, build.targets, build.project.config)
    if not side.tools and errors:
        return Checked(None, errors)
    root, home = checked.value.project.root, folder.resolve()

    def relative(file: str) -> str:
        return os.path.relpath(root / file, home)

    reading = Reading(
        replace(side, unresolved=tuple(dict.fromkeys(_unresolved(whole, program, errors)))),
        ProgramLocations(program),
        root,
        lambda file: os.path.normpath(Path(prefix) / relative(file)),
        suffix,
        {service.name: relative(service.file) for service in whole.services},
        frozenset(
            relative(each.span.source.path)
            for each in errors
            if each.span and not each.subject.service
        ),
        checked.value.project.config.policy or ContractPolicy(),
        checked.value.suppressions,
        frozenset(claim for service in whole.services for claim in naming.claims(service)),
    )
    return Checked(reading, errors)


def _sound(program: Program, errors: tuple[Diagnostic, ...]) -> Program:
    """Return a program without the services and tools of which a fact may be missing."""
    faulty = {each.subject.tool or each.subject.service for each in errors if not each.kind.is_rule}
    services = (
        replace(
            service, tools=tuple(tool for tool in service.tools if tool.names.full not in faulty)
        )
        for service in intact(program, is_sent=True).services
        if service.name not in faulty and service.broken <= {"tools", "definitions"}
    )
    return replace(program, services=tuple(services))


def _unresolved(whole: Program, program: Program, errors: tuple[Diagnostic, ...]) -> Iterator[str]:
    """Yield the names of the services and tools that are not in a program because of errors."""
    services = {service.name for service in program.services}
    tools = {tool.names.full for _, tool in program.tools}
    for service in whole.services:
        if service.name not in services or "tools" in service.broken:
            yield service.name
    for each in errors:
        tool, name = each.subject.tool, each.subject.service
        if name in services and tool and tool not in tools:
            yield tool
        elif name and name not in services:
            yield name
