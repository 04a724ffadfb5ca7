"""Declared members of schemas."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolspec.syntax.nodes import JsonObject, JsonValue


def members(schema: JsonValue) -> JsonObject:
    """Return the `properties` of a schema by name; empty where there are none."""
    declared = schema.get("properties") if isinstance(schema, dict) else None
    return declared if isinstance(declared, dict) else {}
