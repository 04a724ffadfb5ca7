"""What a schema declares by name, read once for all rules that only look at the names."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolspec.syntax.nodes import JsonObject, JsonValue


def members(schema: JsonValue) -> JsonObject:
    """Return the `properties` of a schema by name; none where it has none, or is no object."""
    declared = schema.get("properties") if isinstance(schema, dict) else None
    return declared if isinstance(declared, dict) else {}
