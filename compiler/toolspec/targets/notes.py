"""Notes on services, read: JSON that a target wrote itself, so that nothing in it can be amiss."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolspec.syntax.nodes import JsonObject, JsonValue


def members(note: JsonObject, key: str) -> JsonObject:
    """Return the object that stands under a key."""
    value = note[key]
    assert isinstance(value, dict)
    return value


def items(note: JsonObject, key: str) -> list[JsonValue]:
    """Return the list that stands under a key."""
    value = note[key]
    assert isinstance(value, list)
    return value
