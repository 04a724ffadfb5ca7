"""Contracts: the accepted state of each service and tool, with what was accepted and why.

A contract is a JSON document, `toolspec.contract.json`: under `services` and `tools` a block for each
name, in the order of `tools/list`. No value depends on two tools, and each block begins and ends with
lines of its own, so that edits of different tools merge as text.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING

from toolspec.changes.kind import Level, gravest_of
from toolspec.changes.listed import wire_side
from toolspec.changes.matching import answering
from toolspec.changes.side import SERVICE_FACTS, TOOL_FACTS, Side
from toolspec.shared.canonical import canonical_json
from toolspec.shared.instructions import joined_instructions
from toolspec.shared.records import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from toolspec.shared.json_values import JsonObject, JsonValue

FILE = "toolspec.contract.json"
VERSION = 1
_SHOWN = 5


class ContractError(ValueError):
    """A text that is no contract, with the reason as message."""


@dataclass(frozen=True, slots=True)
class AcceptedChange:
    """A change that was accepted: its code, its level then, and its message."""

    code: str
    level: Level
    message: str


@dataclass(frozen=True, slots=True)
class Acceptance:
    """Changes of one block that a person accepted on a day, such as `2027-01-31`.

    `before` and `after` are the digests of the block's states, empty where it had none. `service` is
    the name of the service, and `version` its version on that day. With `until`, the acceptance ends after that day, and `former` is the state
    before it.
    """

    day: str
    reason: str
    service: str
    version: str
    before: str
    after: str
    changes: tuple[AcceptedChange, ...] = ()
    until: str = ""
    former: JsonObject | None = None

    @property
    def level(self) -> Level:
        """The gravest level of its changes."""
        return gravest_of((change.level for change in self.changes), Level.NOTE)


@dataclass(frozen=True, slots=True)
class Block:
    """The accepted facts of a service or tool, None after its removal, with all acceptances."""

    facts: JsonObject | None
    history: tuple[Acceptance, ...] = ()
    digest: str = ""

    @property
    def is_edited(self) -> bool:
        """Whether the facts are others than those that were accepted."""
        return self.digest != digest(self.facts)


@dataclass(frozen=True, slots=True)
class Contract:
    """Blocks of services by name, and of tools by exact name, in the order of `tools/list`.

    The fact `wire` of a tool has its definition for each target, such as `mcp-2026-07-28`.
    """

    services: Mapping[str, Block] = field(default_factory=dict)
    tools: Mapping[str, Block] = field(default_factory=dict)

    def side(self, label: str) -> Side:
        """Return the side of the accepted state."""
        tools = _present(self.tools)
        facts = [frozenset(each) for each in tools.values()] or [frozenset(TOOL_FACTS)]
        services = _present(self.services)
        of_services = [frozenset(each) for each in services.values()] or [frozenset(SERVICE_FACTS)]
        return Side(
            label,
            services,
            tools,
            frozenset.intersection(*of_services),
            frozenset.intersection(*facts),
            removed={
                name: block.history[-1].before
                for name, block in self.tools.items()
                if block.facts is None and block.history
            },
        )

    @property
    def deprecated_on(self) -> dict[str, str]:
        """The day on which the last deprecation of each tool was accepted, by its name."""
        return {
            name: acceptance.day
            for name, block in self.tools.items()
            for acceptance in block.history
            if any(change.code == "lifecycle/deprecation-added" for change in acceptance.changes)
        }

    def listed(self, target: str, label: str, services: Collection[str] | None = None) -> Side:
        """Return the side of the list of an MCP target: of each tool its highest version.

        `services` are the names of those that a server has, None for all. Raises ContractError if a
        tool has no definition for this target.
        """
        definitions: list[JsonObject] = []
        missing: list[str] = []
        tools = _present(self.tools)
        for name in answering(tools).values():
            facts = tools[name]
            if services is not None and facts.get("service") not in services:
                continue
            wire = facts.get("wire")
            definition = wire.get(target) if isinstance(wire, dict) else None
            if isinstance(definition, dict) and isinstance(definition.get("name"), str):
                definitions.append(definition)
            else:
                missing.append(name)
        if missing:
            some = ", ".join(missing[:_SHOWN]) + (", …" if len(missing) > _SHOWN else "")
            problem = f"{label} has no definitions for {target} of {some}"
            raise ContractError(problem)
        return wire_side(definitions, label, self.instructions(services))

    def instructions(self, services: Collection[str] | None = None) -> str:
        """Return the instructions of a server of some services, None for all."""
        return joined_instructions(
            [
                (str(facts.get("title") or name), str(facts.get("instructions", "")))
                for name, facts in _present(self.services).items()
                if services is None or name in services
            ]
        )

    @property
    def edited(self) -> tuple[str, ...]:
        """The names of the blocks that were edited by hand."""
        blocks = (*self.services.items(), *self.tools.items())
        return tuple(name for name, block in blocks if block.is_edited)


def digest(facts: JsonObject | None) -> str:
    """Return the SHA-256 of facts as canonical JSON, in hex; empty for None."""
    return "" if facts is None else sha256(canonical_json(facts).encode("ascii")).hexdigest()


def read_contract(text: str) -> Contract:
    """Return the contract in a text. Raises ContractError for any other text."""
    try:
        document: JsonValue = json.loads(text)
    except (ValueError, RecursionError) as error:
        problem = f"it is not JSON: {error}"
        raise ContractError(problem) from None
    return contract_of(document)


def contract_of(document: JsonValue) -> Contract:
    """Return the contract in a document. Raises ContractError for any other document."""
    if not isinstance(document, dict) or "contract" not in document:
        problem = "it has no member `contract`"
        raise ContractError(problem)
    if document["contract"] != VERSION:
        problem = f"it has the format {document['contract']}; this version reads {VERSION}"
        raise ContractError(problem)
    return Contract(_blocks(document, "services"), _blocks(document, "tools"))


def is_contract(document: JsonValue) -> bool:
    """Return whether a document says that it is a contract."""
    return isinstance(document, dict) and "contract" in document and "tools" in document


def _present(blocks: Mapping[str, Block]) -> dict[str, JsonObject]:
    return {name: block.facts for name, block in blocks.items() if block.facts is not None}


def _blocks(document: JsonObject, member: str) -> dict[str, Block]:
    blocks = document.get(member)
    if not isinstance(blocks, dict):
        problem = f"`{member}` is not an object"
        raise ContractError(problem)
    return {name: _block(f"{member}/{name}", block) for name, block in blocks.items() if name}


def _block(at: str, block: JsonValue) -> Block:
    match block:
        case {"facts": dict() | None as facts, "history": list() as history, "digest": str() as of}:
            accepted = (_acceptance(f"{at}/history/{n}", each) for n, each in enumerate(history))
            return Block(facts, tuple(accepted), of)
    problem = f"`{at}` has no `digest`, `facts` and `history`"
    raise ContractError(problem)


def _acceptance(at: str, stated: JsonValue) -> Acceptance:
    problem = f"`{at}` is not an acceptance"
    match stated:
        case {"changes": list() as changes, **rest}:
            texts = {name: rest.get(name, "") for name in _TEXTS}
            former = rest.get("former")
            if all(isinstance(each, str) for each in texts.values()):
                return Acceptance(
                    **{name: str(text) for name, text in texts.items()},
                    changes=tuple(_change(problem, each) for each in changes),
                    former=former if isinstance(former, dict) else None,
                )
    raise ContractError(problem)


_TEXTS = ("day", "reason", "service", "version", "before", "after", "until")


def _change(problem: str, stated: JsonValue) -> AcceptedChange:
    match stated:
        case {"code": str() as code, "level": str() as level, "message": str() as message}:
            if level in tuple(Level):
                return AcceptedChange(code, Level(level), message)
    raise ContractError(problem)
