"""Detection of schema defaults that are filled in."""

from __future__ import annotations

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from toolspec.shared.json_values import JsonValue


def has_default(schema: JsonValue) -> bool:
    """Return whether a schema has a default; a null that it rejects only marks it optional."""
    if not isinstance(schema, dict) or "default" not in schema:
        return False
    if schema["default"] is not None:
        return True
    stated, values = schema.get("type", "null"), schema.get("enum")
    is_allowed = stated == "null" or (isinstance(stated, list) and "null" in stated)
    return is_allowed and not (isinstance(values, list) and None not in values)
