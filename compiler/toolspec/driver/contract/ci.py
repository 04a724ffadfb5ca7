"""`toolspec ci`: the checks of a project in one run, with one list of diagnostics."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from toolspec.changes.change import Changes
from toolspec.changes.compare import compare
from toolspec.changes.contract import FILE, Contract, ContractError, digest, read_contract
from toolspec.changes.schemas import Readers
from toolspec.diagnostics import Checked, Severity, Subject
from toolspec.driver import build, user_code
from toolspec.driver.build import CompileOptions
from toolspec.driver.contract import contract_kinds as kinds
from toolspec.driver.contract.contract_file import (
    ContractFile,
    blocks_of,
    pending,
    read_contract_file,
)
from toolspec.driver.contract.facts import contract_side
from toolspec.driver.contract.locations import ProgramLocations
from toolspec.driver.contract.revisions import file_at_revision
from toolspec.driver.output.paths import LOCK
from toolspec.driver.user_code import HandlerSelection
from toolspec.driver.workers import Workers
from toolspec.shared.records import dataclass, field, replace

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from toolspec.changes.contract import Acceptance, Block
    from toolspec.changes.kind import Level
    from toolspec.changes.side import Side
    from toolspec.diagnostics import Diagnostic
    from toolspec.driver.build import Build, Request

_SHOWN = 5
"""Maximum number of generated files that a diagnostic names."""


@dataclass(frozen=True, slots=True)
class CiRequest:
    """What to check. `base` is a revision whose contract is compared too; empty for none.

    Acceptances of the levels in `review` are errors, unless `is_reviewed`: somebody approved them
    outside.
    """

    build: Request
    base: str = ""
    readers: Readers = Readers.TOLERANT
    review: frozenset[Level] = frozenset()
    is_reviewed: bool = False


@dataclass(frozen=True, slots=True)
class CiResult:
    """What was found: the build, the changes since the contract, and what this branch accepts.

    `acceptances` are those that the base does not have, each with the name of its tool or service.
    """

    build: Build
    changes: Changes = field(default_factory=Changes)
    locations: ProgramLocations | None = field(default=None, repr=False)
    acceptances: tuple[tuple[str, Acceptance], ...] = ()


def run_ci(request: CiRequest) -> Checked[CiResult]:
    """Return what `compile --check`, `handlers` and a comparison with the contract find.

    Writes nothing. Changes are part of the result, and of no diagnostic. A project that does not
    compile is not compared with its contract.
    """
    options = CompileOptions(Workers(1), is_cached=False, has_program=True)
    built = build.build(request.build, options=options)
    diagnostics = list(built.diagnostics)
    project, root = built.value.project, built.value.project.root
    if not built.ok:
        return Checked(CiResult(built.value), tuple(diagnostics))
    diagnostics += _outdated(built.value)
    if project.config.handlers:
        selection = HandlerSelection(folder=request.build.folder)
        diagnostics += user_code.compare_handlers_of(
            built.value.program, project, selection
        ).diagnostics
    read = read_contract_file(root)
    diagnostics += read.diagnostics
    result = CiResult(built.value, locations=ProgramLocations(built.value.program))
    if read.ok:
        now = contract_side(built.value.program, "the specs", built.value.targets, project.config)
        result = replace(result, changes=_changes(read.value, now, request))
        diagnostics += _about_contract(read.value, now, request.build.today)
        if request.base:
            since = _since_base(read.value.contract, root, request)
            diagnostics += since.diagnostics
            result = replace(result, acceptances=since.value)
    return Checked(result, tuple(diagnostics))


def _outdated(built: Build) -> Iterator[Diagnostic]:
    """Yield one diagnostic about all generated files that are not those of the specs.

    Without a lock nothing generated is in the repository.
    """
    if not (built.out / LOCK).exists():
        return
    paths = [
        os.path.relpath(built.out / change.path, built.project.root)
        for change in built.changes
        if change.is_needed
    ]
    if paths:
        left = len(paths) - _SHOWN
        files = ", ".join(f"`{path}`" for path in paths[:_SHOWN])
        files = f"{files} and {left} more" if left > 0 else files
        yield kinds.OUTDATED.at(None, files=files)


def _changes(file: ContractFile, now: Side, request: CiRequest) -> Changes:
    if not file.exists or file.is_conflicted:
        return Changes()
    return compare(file.contract.side("the contract"), now, readers=request.readers)


def _about_contract(file: ContractFile, now: Side, today: str) -> Iterator[Diagnostic]:
    """Yield diagnostics about the contract itself: missing, conflicted, edited, or expired."""
    if file.is_conflicted:
        yield kinds.CONFLICTED.at(None)
        return
    if not file.exists:
        yield kinds.MISSING.at(None)
        return
    for member, blocks in _by_member(file.contract):
        facts = now.tools if member == "tools" else now.services
        for name, block in blocks.items():
            subject = Subject(tool=name) if member == "tools" else Subject(service=name)
            if block.is_edited:
                yield kinds.EDITED.at(None, subject=subject, name=name)
            ending = pending(block)
            if ending and ending.until < today and digest(facts.get(name)) == block.digest:
                yield kinds.EXPIRED.at(
                    None, subject=subject, name=name, until=ending.until, changes=_codes(ending)
                )


def _since_base(
    contract: Contract, root: Path, request: CiRequest
) -> Checked[tuple[tuple[str, Acceptance], ...]]:
    """Return what a branch accepts beyond its base, with diagnostics for reviewers."""
    read = file_at_revision(request.base, root, FILE)
    base = Contract()
    if read.value is not None:
        try:
            base = read_contract(read.value)
        except ContractError as error:
            problem = f"at `{request.base}`, {error}"
            return Checked((), (kinds.BAD_CONTRACT.at(None, problem=problem),))
    if not read.ok or read.value is None:  # the first contract accepts no change
        return Checked((), read.diagnostics)
    changed = compare(
        base.side(request.base), contract.side("the contract"), readers=request.readers
    )
    by_block: dict[tuple[str, str], set[str]] = {}
    for change in changed.changes:
        for key in blocks_of(change):
            by_block.setdefault(key, set()).add(change.code)
    found: list[tuple[str, Acceptance]] = []
    diagnostics: list[Diagnostic] = []
    old = dict(_by_member(base))
    for member, present in _by_member(contract):
        kind = "tool" if member == "tools" else ""
        blocks = {**_gone(old[member], present), **present}
        for name, block in blocks.items():
            subject = Subject(tool=name) if kind else Subject(service=name)
            before = old[member].get(name)
            known = before.history if before else ()
            new = [each for each in block.history if each not in known]
            found += [(name, each) for each in new]
            diagnostics += [_accepted(each, name, subject, request) for each in new]
            codes = {change.code for each in new for change in each.changes}
            is_covered = bool(new) and new[-1].after == block.digest
            if not is_covered and by_block.get((kind, name), set()) - codes:
                diagnostics.append(
                    kinds.UNACCEPTED.at(None, subject=subject, name=name, base=request.base)
                )
    return Checked(tuple(found), tuple(diagnostics))


def _gone(old: Mapping[str, Block], new: Mapping[str, Block]) -> dict[str, Block]:
    """Return empty blocks for those that were removed as a whole, with their history."""
    return {
        name: replace(block, facts=None, history=())
        for name, block in old.items()
        if name not in new
    }


def _accepted(
    acceptance: Acceptance, name: str, subject: Subject, request: CiRequest
) -> Diagnostic:
    until = f" (until {acceptance.until})" if acceptance.until else ""
    diagnostic = kinds.ACCEPTED.at(
        None,
        subject=subject,
        name=name,
        reason=acceptance.reason or "no reason is needed",
        changes=f"{_codes(acceptance)}{until}",
        base=request.base,
    )
    if acceptance.level in request.review and not request.is_reviewed:
        return replace(diagnostic, configured=Severity.ERROR)
    return diagnostic


def _codes(acceptance: Acceptance) -> str:
    return ", ".join(f"{change.level} {change.code}" for change in acceptance.changes)


def _by_member(contract: Contract) -> tuple[tuple[str, Mapping[str, Block]], ...]:
    return ("services", contract.services), ("tools", contract.tools)
