"""Guards: the list of tools that a server sends, compared with the contract."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from toolspec.changes.change import SERVER
from toolspec.changes.contract import Contract, ContractError, read_contract
from toolspec.changes.kind import Audience, Level
from toolspec.changes.listed import wire_side
from toolspec.changes.matching import bare_name
from toolspec.shared.records import dataclass, field, replace

if TYPE_CHECKING:
    from collections.abc import Collection

    from toolspec.changes.change import Change, Changes
    from toolspec.changes.side import Side
    from toolspec.shared.json_values import JsonObject
    from toolspec.shared.lists import WireList

READERS = frozenset({Audience.CALLERS, Audience.MODELS, Audience.REVIEWERS})
"""The audiences that rely on a list of tools."""

_GONE = frozenset({"tool/removed", "tool/deprecated-removed"})


@dataclass(frozen=True, slots=True)
class GuardReport:
    """Differences of a list: `breaks` for its readers, and all others.

    `hidden` are the tools of the contract that a list does not show, although it may be complete for
    others. `names` are those that the contract has.
    """

    breaks: tuple[Change, ...] = ()
    others: tuple[Change, ...] = ()
    hidden: tuple[str, ...] = ()
    names: frozenset[str] = field(default=frozenset(), repr=False)


def read_intact(text: str) -> Contract:
    """Return the contract in a text. Raises ContractError for any other text, and for edits by hand."""
    contract = read_contract(text)
    if contract.edited:
        problem = f"it was edited by hand: {', '.join(contract.edited)}"
        raise ContractError(problem)
    return contract


def compare_server(contract: Contract, wire: WireList, services: Collection[str]) -> GuardReport:
    """Return the differences of what a server of these services lists.

    Raises ContractError if they cannot be compared.
    """
    return _report(contract.listed(wire.target, "the contract", services), wire, may_hide=False)


def compare_shown(contract: Contract, wire: WireList) -> GuardReport:
    """Return the differences of what a client is shown: its scopes may hide some tools, but not all.

    Raises ContractError if they cannot be compared.
    """
    old = contract.listed(wire.target, "the contract")
    shown = {tool.get("name") for tool in wire.tools}
    services = {
        str(block.facts.get("service"))
        for name, block in contract.tools.items()
        if block.facts and bare_name(name) in shown
    }
    texts: JsonObject = {**old.services[""], "instructions": contract.instructions(services)}
    return _report(replace(old, services={"": texts}), wire, may_hide=bool(services))


def line(change: Change) -> str:
    """Return a change as a line with its level for the readers of a list."""
    return f"{change.level(READERS)}[{change.code}] {change.message}"


def _report(old: Side, wire: WireList, *, may_hide: bool) -> GuardReport:
    names = frozenset(old.tools)
    try:
        new = wire_side(wire.tools, SERVER, wire.instructions)
        if _text(old) == _text(new):  # spares importing the kinds of changes
            return GuardReport(names=names)
        found = _compared(old, new)
    except Exception as error:  # what cannot be compared is no reason to let it pass
        problem = f"the list cannot be compared: {type(error).__name__}"
        raise ContractError(problem) from error
    hidden = [change for change in found.changes if may_hide and change.code in _GONE]
    shown = [change for change in found.changes if change not in hidden]
    return GuardReport(
        tuple(change for change in shown if change.level(READERS) is Level.BREAK),
        tuple(change for change in shown if change.level(READERS) is not Level.BREAK),
        tuple(change.place.tool for change in hidden),
        names,
    )


def _compared(old: Side, new: Side) -> Changes:
    from toolspec.changes.compare import compare

    return compare(old, new)


def _text(side: Side) -> str:
    return json.dumps([side.services, side.tools])  # the order of members counts
