"""Drift: what a running server lists, compared with a contract or with another version."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from toolspec.changes.change import SERVER
from toolspec.changes.contract import FILE, ContractError
from toolspec.changes.guard import read_intact
from toolspec.changes.listed import listed_side, wire_side
from toolspec.changes.matching import answering
from toolspec.diagnostics import Checked
from toolspec.driver.config import find_project
from toolspec.driver.contract.contract_kinds import BAD_CONTRACT, UNKNOWN_TOOL
from toolspec.driver.contract.locations import ContractLocations, DumpLocations, ProgramLocations
from toolspec.driver.contract.policy import Judgement, Versions, judge
from toolspec.driver.contract.sides import Reading, read_version
from toolspec.ir import Program
from toolspec.shared.records import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolspec.changes.change import Change, Place
    from toolspec.changes.contract import Contract
    from toolspec.diagnostics import Diagnostic, Suppression
    from toolspec.driver.contract.policy import ContractPolicy, Selection
    from toolspec.shared.lists import WireList


@dataclass(frozen=True, slots=True)
class Promise:
    """What a server is compared with: a contract, or the reading of another version."""

    reading: Reading
    contract: Contract | None = None


def project_contract() -> str:
    """Return the path of the contract of the current project; empty if there is none."""
    path = find_project(Path.cwd()).value.root / FILE
    return os.path.relpath(path) if path.is_file() else ""


def read_promise(word: str) -> Checked[Promise | None]:
    """Return what a path, or the name of a revision, promises; None if nothing can be compared.

    A contract that was edited by hand promises nothing.
    """
    read = read_version(word)
    if read.value is None or not isinstance(read.value.locations, ContractLocations):
        return Checked(Promise(read.value) if read.value else None, read.diagnostics)
    try:
        return Checked(Promise(read.value, read_intact(Path(word).read_text("utf-8"))))
    except ContractError as error:
        return Checked(None, (BAD_CONTRACT.at(None, problem=str(error)),))


def served_reading(lists: Sequence[WireList]) -> Reading:
    """Return the reading of a server, which is written nowhere."""
    side = listed_side(lists[0].tools, SERVER, lists[0].instructions)
    return Reading(side, ProgramLocations(Program(())), Path.cwd())


def judge_drift(
    promise: Promise,
    lists: Sequence[WireList],
    policy: ContractPolicy,
    today: str,
    selection: Selection,
) -> Judgement:
    """Return the changes of a server, each once, although it has a list for each era.

    A list of tools promises one era, and is compared with the first. Raises ContractError if a
    contract has no definitions for an era.
    """
    if isinstance(promise.reading.locations, DumpLocations):
        lists = lists[:1]
    judged = [judge(_versions(promise, wire), policy, today, selection) for wire in lists]
    changes: dict[tuple[str, str], Change] = {}
    suppressed: dict[tuple[str, str], tuple[Change, Suppression]] = {}
    diagnostics: dict[str, Diagnostic] = {}
    for each in judged:
        for change in each.changes.changes:
            changes.setdefault((change.code, change.message), change)
        for change, suppression in each.suppressed:
            suppressed.setdefault((change.code, change.message), (change, suppression))
        for diagnostic in each.diagnostics:  # suppressions may be of use elsewhere
            if diagnostic.kind is UNKNOWN_TOOL:
                diagnostics[diagnostic.message] = diagnostic
    merged = replace(judged[0].changes, changes=tuple(changes.values()))
    return Judgement(merged, tuple(suppressed.values()), (), tuple(diagnostics.values()))


def _versions(promise: Promise, wire: WireList) -> Versions:
    side, contract = promise.reading.side, promise.contract
    if contract is not None:
        old = contract.listed(wire.target, side.label)
        new = wire_side(wire.tools, SERVER, wire.instructions)
        deprecated = promise.reading.deprecated_on
        return Versions(old, new, _nowhere, promise.reading.span, deprecated_on=deprecated)
    tools = {name: side.tools[name] for name in answering(side.tools).values()}
    old = replace(side, tools=tools)  # no list has other versions
    new = listed_side(wire.tools, SERVER, wire.instructions)
    return Versions(old, new, _nowhere, promise.reading.span)


def _nowhere(_: Place) -> None:
    return None
