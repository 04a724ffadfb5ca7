"""Schemas at the edge of what a document may hold: deep, long chains of references, recursion, growth."""

from __future__ import annotations

from typing import Any

import pytest
from lowered_checks import lowered
from sampling import sampled
from toolspec.providers.profile import find_profile, names

LOWERING = [name for name in names() if (profile := find_profile(name)) and profile.steps]


def nested(levels: int) -> dict[str, Any]:
    made: dict[str, Any] = {"type": "string"}
    for level in range(levels):
        made = {"type": "object", "properties": {f"p{level}": made}, "required": [f"p{level}"]}
    return made


def forms(levels: int) -> dict[str, Any]:
    made: dict[str, Any] = {"type": "string"}
    for _ in range(levels):
        made = {"type": "array", "items": {"anyOf": [made, {"type": "null"}]}}
    return {"type": "object", "properties": {"a": made}}


def chain(length: int) -> dict[str, Any]:
    links: dict[str, Any] = {f"L{at}": {"$ref": f"#/$defs/L{at + 1}"} for at in range(length)}
    links[f"L{length}"] = {"type": "string"}
    return {"type": "object", "properties": {"a": {"$ref": "#/$defs/L0"}}, "$defs": links}


def doubling(levels: int) -> dict[str, Any]:
    both = {
        f"L{at}": {
            "type": "object",
            "properties": {
                "a": {"$ref": f"#/$defs/L{at + 1}"},
                "b": {"$ref": f"#/$defs/L{at + 1}"},
            },
        }
        for at in range(levels)
    }
    both[f"L{levels}"] = {"type": "object", "properties": {"a": {"type": "string"}}}
    return {"type": "object", "properties": {"a": {"$ref": "#/$defs/L0"}}, "$defs": both}


def rings(count: int) -> dict[str, Any]:
    """Return definitions that all lead to all."""
    every = {f"p{at}": {"$ref": f"#/$defs/N{at}"} for at in range(count)}
    defined = {f"N{at}": {"type": "object", "properties": every} for at in range(count)}
    return {"type": "object", "properties": {"a": {"$ref": "#/$defs/N0"}}, "$defs": defined}


@pytest.mark.parametrize("name", sampled(LOWERING, 3))
@pytest.mark.parametrize(
    "schema",
    sampled([nested(64), forms(40), chain(900), doubling(30), rings(12)], 2),
    ids=["nested", "forms", "chain", "doubling", "rings"],
)
def test_it_ends(name: str, schema: dict[str, Any]) -> None:
    profile = find_profile(name)
    assert profile is not None
    made = lowered(schema, profile)
    assert not any(each.step == "lost" for each in made.ledger)
