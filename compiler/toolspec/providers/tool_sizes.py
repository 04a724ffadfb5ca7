"""Sizes of tool definitions by target, in tokens."""

from __future__ import annotations

from collections import Counter
from json import JSONEncoder
from typing import TYPE_CHECKING, TypeAlias

from toolspec.shared.records import dataclass
from toolspec.shared.tokens import BYTES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from toolspec.ir import Tool
    from toolspec.syntax.nodes import JsonObject, JsonValue

# The size of a definition as its author wrote it, next to those of single targets.
NEUTRAL = "neutral"

# A document is a tree of limited depth, so the search for cycles is unnecessary.
_encode = JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":")).encode


@dataclass(frozen=True, slots=True)
class Sizes:
    """Token counts by target: of `each` tool by exact name, and of all tools `together`.

    Each has a `neutral` size. A tool that is not sent to a target has no size for it.
    """

    each: Mapping[str, Mapping[str, int]]
    together: Mapping[str, int]


# Lengths of definitions by identity, with the definition itself, so that its id is not reused.
Lengths: TypeAlias = "dict[int, tuple[JsonValue, str, int]]"


def tokens_of(tool: Tool, lengths: Lengths | None = None) -> int:
    """Return the estimate for a definition as a model reads it: name, description, arguments.

    `lengths` are those of definitions that tools share, kept from one tool to the next.
    """
    return tokens_sent(tool.names.full, tool.description, tool.arguments, lengths)


def tokens_sent(
    name: str, description: str, schema: JsonObject | None, lengths: Lengths | None = None
) -> int:
    """Return the estimate for a tool as sent, its schema as compact JSON; `lengths` as above."""
    text = f"{name}{description}".encode("utf-8", "surrogatepass")
    known = {} if lengths is None else lengths
    return -(-(len(text) + (_bytes(schema, known) if schema is not None else 0)) // BYTES)


def _bytes(schema: JsonObject, lengths: Lengths) -> int:
    """Return the length of a schema as compact JSON; shared definitions are measured once."""
    definitions = schema.get("$defs")
    if not isinstance(definitions, dict) or not definitions:
        return _length(schema)
    size = _length({**schema, "$defs": {}}) + len(definitions) - 1
    for name, definition in definitions.items():
        measured = lengths.get(id(definition))
        if measured is None or measured[1] != name:
            length = _length(name) + 1 + _length(definition)
            measured = lengths[id(definition)] = definition, name, length
        size += measured[2]
    return size


def _length(value: JsonValue) -> int:
    return len(_encode(value).encode("utf-8", "surrogatepass"))


def total(sizes: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """Return the sizes of several tools together, by target."""
    summed: Counter[str] = Counter()
    for size in sizes:
        summed.update(size)
    return dict(summed)


def by_target(sizes: Mapping[str, int]) -> dict[str, int]:
    """Return the sizes of a tool by target, or the neutral size if no target has one."""
    sent = {name: size for name, size in sizes.items() if name != NEUTRAL}
    return sent or dict(sizes)


def shown(sizes: Mapping[str, int]) -> str:
    """Return the sizes for people as one number, or as minimum and maximum where targets differ."""
    numbers = sorted({*by_target(sizes).values()}) or [0]
    return "-".join(f"{number:,}" for number in dict.fromkeys((numbers[0], numbers[-1])))
