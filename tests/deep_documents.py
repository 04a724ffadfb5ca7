"""Documents whose definitions lead to one another many times: chains, rings, trees."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

Schema = dict[str, Any]

LAST: Schema = {
    "type": "object",
    "properties": {"end": {"type": "integer", "default": 7, "description": "The last one."}},
}


def ref(number: int) -> Schema:
    return {"$ref": f"#/$defs/T{number}"}


def member(inner: Schema) -> Schema:
    return {"type": "object", "properties": {"next": inner}}


# How one definition leads to the next. The first group passes through a part of the value.
LINKS: dict[str, Callable[[Schema, int], Schema]] = {
    "member": lambda following, _: member(following),
    "nullable": lambda following, _: member({"anyOf": [following, {"type": "null"}]}),
    "described": lambda following, _: member({**following, "description": "What follows."}),
    "items": lambda following, _: {"type": "array", "items": following},
    "values": lambda following, _: {"type": "object", "additionalProperties": following},
    "patterns": lambda following, _: {"type": "object", "patternProperties": {"^x": following}},
    "tuple": lambda following, _: {"type": "array", "prefixItems": [following, {"type": "string"}]},
    "joined": lambda following, number: member(
        {"allOf": [following, member({"type": "object", "properties": {f"own{number}": {}}})]}
    ),
    "conditional": lambda following, _: {
        **member({}),
        "if": {"required": ["next"]},
        "then": {"properties": {"next": following}},
    },
    # These say more of the same value.
    "alias": lambda following, _: following,
    "extended": lambda following, number: {
        "allOf": [following],
        "properties": {f"own{number}": {"type": "string", "default": "a"}},
    },
    "union": lambda following, _: {"anyOf": [following, {"type": "string"}]},
    "choice": lambda following, number: {
        "type": "object",
        "properties": {"kind": {"type": "string"}},
        "oneOf": [
            {"properties": {"kind": {"const": f"k{number}"}}, "required": ["kind"]},
            following,
        ],
    },
}
IN_PLACE = ("alias", "extended", "union", "choice")


def chain(link: str, count: int) -> dict[str, Schema]:
    """Return definitions of which each leads to the next one."""
    made = {f"T{number}": LINKS[link](ref(number + 1), number) for number in range(count - 1)}
    return {**made, f"T{count - 1}": LAST}


def ring(link: str, count: int) -> dict[str, Schema]:
    """Return definitions of which each leads to the next one, and the last to the first."""
    return {f"T{at}": LINKS[link](ref((at + 1) % count), at) for at in range(count)}


def tree(_: str, count: int) -> dict[str, Schema]:
    """Return definitions of which each leads to two others."""
    return {
        f"T{at}": {
            "type": "object",
            "properties": {
                side: ref(2 * at + which) if 2 * at + which < count else {"type": "integer"}
                for which, side in enumerate(("left", "right"), 1)
            },
        }
        for at in range(count)
    }


def document(definitions: dict[str, Schema], name: str = "deep") -> dict[str, Any]:
    """Return a service with one tool that takes and returns the first of the definitions."""
    return {
        "toolspec": 1,
        "service": {"name": name, "description": "Takes and returns what nests deeply."},
        "$defs": definitions,
        "tools": [
            {
                "name": "echo",
                "description": "Return what is passed, and nothing else.",
                "mutation": False,
                "inputSchema": {
                    "type": "object",
                    "properties": {"value": ref(0)},
                    "required": ["value"],
                },
                "outputSchema": ref(0),
            }
        ],
    }
