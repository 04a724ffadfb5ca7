"""Text of contracts: what `toolspec accept` writes, and what a merge with conflicts leaves of it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from toolspec.changes.contract import VERSION, Block, Contract, read_contract
from toolspec.shared.canonical import canonical_json
from toolspec.shared.records import replace
from toolspec.sinks.json_text import JsonSerializer, JsonText

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolspec.changes.contract import Acceptance
    from toolspec.shared.json_values import JsonObject, JsonValue

# A side of a conflict begins with one of these lines, and the conflict ends with the last.
_MARKER = re.compile(r"(<{7}|\|{7}|={7}|>{7})(?: .*)?")


def contract_text(contract: Contract) -> str:
    """Return a contract as a document, the same for equal contracts."""
    document: JsonObject = {
        "contract": VERSION,
        "services": _blocks(contract.services),
        "tools": _blocks(contract.tools),
    }
    return JsonSerializer().text(document)


def is_conflicted(text: str) -> bool:
    """Return whether a text has a conflict of a merge."""
    return any(map(_MARKER.fullmatch, text.splitlines()))


def read_conflicted(text: str) -> Contract:
    """Return the contract of both sides of a merge: their blocks, with all acceptances of both.

    The facts of a block that both have are those of the first side. Raises ContractError if a side is
    no contract.
    """
    ours, theirs = (read_contract(side) for side in _sides(text))
    return Contract(_joined(ours.services, theirs.services), _joined(ours.tools, theirs.tools))


def _sides(text: str) -> tuple[str, str]:
    sides: tuple[list[str], list[str]] = [], []
    into: tuple[list[str], ...] = sides
    for line in text.splitlines(keepends=True):
        marker = _MARKER.fullmatch(line.rstrip("\r\n"))
        if marker is None:
            for side in into:
                side.append(line)
        else:
            into = {"<": sides[:1], "|": (), "=": sides[1:], ">": sides}[marker[1][0]]
    return "".join(sides[0]), "".join(sides[1])


def _joined(ours: Mapping[str, Block], theirs: Mapping[str, Block]) -> dict[str, Block]:
    joined = dict(ours)
    for name, block in theirs.items():
        own = joined.get(name)
        more = [each for each in block.history if own is None or each not in own.history]
        kept = own or replace(block, history=())
        joined[name] = replace(kept, history=(*kept.history, *more))
    return joined


def _blocks(blocks: Mapping[str, Block]) -> JsonObject:
    written: JsonObject = {name: _block(name, block) for name, block in blocks.items()}
    return {**written, "": None}  # so that each block is followed by a comma, the last one too


def _block(name: str, block: Block) -> JsonObject:
    facts = block.facts
    wire = facts.get("wire") if facts else None
    if facts and isinstance(wire, dict):
        lines: JsonObject = {  # in the order of members that clients get
            target: JsonText(json.dumps(definition, separators=(",", ":")))
            for target, definition in wire.items()
        }
        facts = {**facts, "wire": lines}
    return {
        "digest": block.digest,
        "facts": facts,
        "history": [_acceptance(each) for each in block.history],
        "end": name,
    }


def _acceptance(acceptance: Acceptance) -> JsonValue:
    stated: JsonObject = {
        "day": acceptance.day,
        "reason": acceptance.reason,
        "service": acceptance.service,
        "version": acceptance.version,
        "before": acceptance.before,
        "after": acceptance.after,
        "until": acceptance.until,
    }
    changes: list[JsonValue] = [
        {"code": change.code, "level": str(change.level), "message": change.message}
        for change in acceptance.changes
    ]
    former: JsonObject = (
        {"former": JsonText(canonical_json(acceptance.former))} if acceptance.former else {}
    )
    return {**{name: text for name, text in stated.items() if text}, "changes": changes, **former}
