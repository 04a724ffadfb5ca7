"""Access to notes on services, which a target wrote itself, so that their form is certain."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolspec.syntax.nodes import JsonObject, JsonValue


def members(note: JsonObject, key: str) -> JsonObject:
    """Return the object under a key."""
    value = note[key]
    assert isinstance(value, dict)
    return value


def items(note: JsonObject, key: str) -> list[JsonValue]:
    """Return the list under a key."""
    value = note[key]
    assert isinstance(value, list)
    return value
