"""Extensions of vendors that say what OpenAPI has no member for."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolspec.importers.openapi.model import Operation
    from toolspec.syntax.nodes import JsonObject, JsonValue

_LONGEST_VALUES = 600
_DESCRIPTIONS = ("x-enum-descriptions", "x-enumDescriptions")


def is_read_only(schema: JsonObject) -> bool:
    """Return whether only the API sets a value: `readOnly`, or `x-ms-mutability` of `read` alone."""
    return schema.get("readOnly") is True or schema.get("x-ms-mutability") == ["read"]


def is_write_only(schema: JsonObject) -> bool:
    """Return whether a result never has a value: `writeOnly`, `x-ms-secret`, or `x-ms-mutability`."""
    mutability = schema.get("x-ms-mutability")
    return (
        schema.get("writeOnly") is True
        or schema.get("x-ms-secret") is True
        or (isinstance(mutability, list) and bool(mutability) and "read" not in mutability)
    )


def is_nullable(schema: JsonObject) -> bool:
    """Return whether null is a value too, in documents of OpenAPI 3.0 and older forms."""
    return schema.get("nullable") is True or schema.get("x-nullable") is True


def is_internal(operation: Operation) -> bool:
    """Return whether an operation is not for everybody: `x-internal`, or `x-ms-visibility`."""
    return (
        operation.extension("x-internal") is True
        or operation.extension("x-ms-visibility") == "internal"
    )


def described_values(schema: JsonObject) -> str:
    """Return what the values of an enum mean, as sentences; empty if nothing says so.

    `x-ms-enum` has objects with value and description, `x-enum-descriptions` texts by position or
    by value.
    """
    values = schema.get("enum")
    texts = _texts(schema, values) if isinstance(values, list) else {}
    parts = [f"`{value}`: {text}" for value, text in texts.items()]
    whole = "; ".join(parts)
    return f"{whole}." if whole and len(whole) <= _LONGEST_VALUES else ""


def _texts(schema: JsonObject, values: list[JsonValue]) -> dict[str, str]:
    microsoft = schema.get("x-ms-enum")
    listed = microsoft.get("values") if isinstance(microsoft, dict) else None
    pairs: list[tuple[JsonValue, JsonValue]] = [
        (entry.get("value"), entry.get("description"))
        for entry in (listed if isinstance(listed, list) else ())
        if isinstance(entry, dict)
    ]
    for name in _DESCRIPTIONS:
        stated = schema.get(name)
        if isinstance(stated, list):
            pairs += zip(values, stated, strict=False)
        elif isinstance(stated, dict):
            pairs += stated.items()
    known = {str(value) for value in values}
    return {
        str(value): text.strip().rstrip(".")
        for value, text in pairs
        if isinstance(text, str) and text.strip() and str(value) in known
    }
