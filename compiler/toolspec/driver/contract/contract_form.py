"""Checks the facts of a contract: most of them have the form that they have in the catalog."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING

from toolspec.changes.contract import ContractError
from toolspec.changes.side import SERVICE_FACTS, TOOL_FACTS
from toolspec.providers.ledger import Outcome
from toolspec.schema.shipped import read_schema
from toolspec.shared.validator import compiled

if TYPE_CHECKING:
    from toolspec.changes.contract import Block, Contract
    from toolspec.shared.json_values import Accepts, JsonObject, JsonValue

_TEXT: JsonObject = {"type": "string"}
_TEXTS: JsonObject = {"type": "array", "items": _TEXT}
_OUTCOME: JsonObject = {"enum": [str(outcome) for outcome in Outcome]}
_OWN: dict[str, JsonObject] = {
    "services": {
        "settings": {"type": ["object", "boolean", "null"]},
        "auth": {
            "type": "object",
            "properties": {"type": _TEXT, "scopes": {"type": "object"}},
            "required": ["type"],
        },
        "targets": _TEXTS,
    },
    "tools": {
        "input": {"type": ["object", "boolean"]},
        "output": {"type": ["object", "boolean"]},
        "chunk": {"type": ["object", "boolean", "null"]},
        "instances": _TEXTS,
        "lowered": {
            "type": "object",
            "additionalProperties": {
                "type": "object",
                "properties": {
                    **dict.fromkeys(("form", "name", "description"), _TEXT),
                    "tokens": {"type": "integer"},
                    "otherwise": _OUTCOME,
                    "keywords": {"type": "object", "additionalProperties": _OUTCOME},
                    "keys": {"type": "object", "additionalProperties": {"type": "object"}},
                },
            },
        },
        "wire": {"type": "object", "additionalProperties": {"type": "object"}},
    },
}
"""The facts that the catalog has in another form, or not at all."""


def with_checked_facts(contract: Contract) -> Contract:
    """Return the contract. Raises ContractError for facts that no version of the compiler writes."""
    for member, blocks in (("services", contract.services), ("tools", contract.tools)):
        accepts = _accepts(member)
        for name, block in blocks.items():
            if block.facts is not None and not accepts(block.facts):
                raise ContractError(_problem(member, name, block))
    return contract


def _problem(member: str, name: str, block: Block) -> str:
    from toolspec.shared.explanation import explained
    from toolspec.shared.json_values import path_text

    error, *_ = explained(_schema(member), block.facts)
    at = path_text((member, name, "facts", *error.path))
    return f"`{at}` is malformed: {error.sentence}"


@cache
def _accepts(member: str) -> Accepts:
    return compiled(_schema(member))


@cache
def _schema(member: str) -> JsonObject:
    """Return the schema of the facts of a service or tool."""
    definitions = json.loads(read_schema("catalog.v1.schema.json"))["$defs"]
    names = SERVICE_FACTS if member == "services" else TOOL_FACTS
    forms: JsonObject = definitions["service" if member == "services" else "tool"]["properties"]
    properties: dict[str, JsonValue] = {name: forms[name] for name in names if name in forms}
    return {"type": "object", "properties": properties | _OWN[member], "$defs": definitions}
