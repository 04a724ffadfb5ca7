"""A program of the shape of a large API: 400 tools over 536 definitions that reach one another.

    python benchmarks/large.py FOLDER        # writes FOLDER/specs/

The bytes are the same on every machine: about 2.5 MB, in files of less than 1 MiB each.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random

TOOLS = 400
DEFINITIONS = 536
_FIELDS = 7
_LINKS = 2
_ARGUMENTS = 9
_PARTS = 3
_WORDS = [
    "account",
    "amount",
    "attempt",
    "balance",
    "bank",
    "bill",
    "card",
    "charge",
    "city",
    "claim",
    "code",
    "country",
    "coupon",
    "currency",
    "customer",
    "date",
    "delivery",
    "discount",
    "dispute",
    "event",
    "fee",
    "file",
    "fraction",
    "holder",
    "invoice",
    "item",
    "ledger",
    "line",
    "limit",
    "mandate",
    "method",
    "network",
    "note",
    "number",
    "offer",
    "order",
    "owner",
    "partner",
    "payment",
    "payout",
    "period",
    "plan",
    "price",
    "product",
    "quote",
    "rate",
    "reason",
    "receipt",
    "refund",
    "region",
    "report",
    "result",
    "review",
    "rule",
    "schedule",
    "session",
    "setup",
    "shipping",
    "source",
    "state",
    "statement",
    "status",
    "subscription",
    "tax",
    "term",
    "time",
    "token",
    "transfer",
    "unit",
    "usage",
]
_TYPES = (
    {"type": "string", "maxLength": 5000},
    {"type": "integer"},
    {"type": "boolean"},
    {"type": ["string", "null"]},
    {"type": "string", "enum": ["active", "closed", "open", "pending"]},
    {"type": "array", "items": {"type": "string"}},
)


def program(tools: int = TOOLS, definitions: int = DEFINITIONS) -> dict[str, object]:
    """Return the service document."""
    chance = Random(11)
    return {
        "toolspec": 1,
        "service": {
            "name": "large",
            "description": "Bills, charges and pays, as a large API does.",
        },
        "$defs": {_name(at): _definition(chance, at, definitions) for at in range(definitions)},
        "tools": [_tool(chance, at, definitions) for at in range(tools)],
    }


def _name(at: int) -> str:
    return (
        f"{_WORDS[at % len(_WORDS)].title()}{_WORDS[at // len(_WORDS) * 7 % len(_WORDS)].title()}"
    )


def _sentence(chance: Random) -> str:
    words = " ".join(chance.choice(_WORDS) for _ in range(21))
    return f"{words.capitalize()}."


def _field(chance: Random) -> dict[str, object]:
    return {**chance.choice(_TYPES), "description": _sentence(chance)}


def _definition(chance: Random, at: int, definitions: int) -> dict[str, object]:
    fields: dict[str, object] = {
        f"{_WORDS[(at + 3 * number) % len(_WORDS)]}_{number}": _field(chance)
        for number in range(_FIELDS)
    }
    for number in range(_LINKS):
        # Most lead far away, so that nearly every definition reaches nearly every other.
        other = {"$ref": f"#/$defs/{_name(chance.randrange(definitions))}"}
        inner = (
            {"anyOf": [other, {"type": "null"}]} if number else {"type": "array", "items": other}
        )
        fields[f"linked_{number}"] = {**inner, "description": _sentence(chance)}
    return {
        "type": "object",
        "description": _sentence(chance),
        "properties": fields,
        "required": list(fields)[:3],
    }


def _tool(chance: Random, at: int, definitions: int) -> dict[str, object]:
    return {
        "name": f"{('get', 'list', 'find', 'count')[at % 4]}_{at:03}",
        "description": f"{_sentence(chance)} {_sentence(chance)}",
        "mutation": False,
        "inputSchema": {
            "type": "object",
            "properties": {
                f"{_WORDS[(at + 5 * number) % len(_WORDS)]}_{number}": _field(chance)
                for number in range(_ARGUMENTS)
            },
        },
        "outputSchema": {"$ref": f"#/$defs/{_name(chance.randrange(definitions))}"},
    }


def files(tools: int = TOOLS, definitions: int = DEFINITIONS) -> dict[str, str]:
    """Return the texts of the program's files, by path below its folder."""
    whole = program(tools, definitions)
    listed, defined = whole["tools"], whole["$defs"]
    assert isinstance(listed, list)
    assert isinstance(defined, dict)
    names = list(defined)
    parts: dict[str, dict[str, object]] = {}
    for number in range(_PARTS):
        kept = names[number::_PARTS]
        parts[f"definitions{number}"] = {"$defs": {name: defined[name] for name in kept}}
        parts[f"tools{number}"] = {"tools": listed[number::_PARTS]}
    head: dict[str, object] = {"toolspec": whole["toolspec"], "service": whole["service"]}
    head["include"] = [f"parts/{name}.json" for name in parts]
    texts = {f"specs/parts/{name}.json": part for name, part in parts.items()}
    return {
        path: json.dumps(each, indent=1) + "\n"
        for path, each in {**texts, "specs/large.json": head}.items()
    }


def write(folder: Path) -> None:
    """Write the program into a folder."""
    for path, text in files().items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
