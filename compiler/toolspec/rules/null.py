"""Test whether a schema evidently allows null, and edits that make it do so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import TextEdit
from toolspec.frontend.edits import delete_member, rename_key, replace_value
from toolspec.schema.keywords import IN_PLACE

if TYPE_CHECKING:
    from toolspec.frontend.edits import Edits
    from toolspec.syntax.nodes import JsonObject, JsonValue, Place

_NAMED: tuple[tuple[str, JsonValue], ...] = (("type", "null"), ("anyOf", {"type": "null"}))
# Keywords that may reject null.
_OPAQUE = (IN_PLACE - {"anyOf"}) | {"$ref"}


def names_null(schema: JsonObject) -> bool:
    """Return whether a schema lists null among its types or options, and nothing rejects it."""
    named = [null in each for key, null in _NAMED if isinstance(each := schema.get(key), list)]
    values = schema.get("enum", [None])
    return (
        bool(named)
        and all(named)
        and not isinstance(schema.get("type"), str)
        and schema.get("const") is None
        and isinstance(values, list)
        and None in values
        and _OPAQUE.isdisjoint(schema)
    )


def name_null(place: Place, nullable: str) -> Edits:
    """Return the edits that replace a keyword for nullable values by a null type.

    Empty if the schema does not have exactly one type, or if other keywords may reject null.
    """
    node = place.value_or_none
    if not (isinstance(node, dict) and isinstance(node.get("type"), str)):
        return ()
    if "anyOf" in node or not _OPAQUE.isdisjoint(node):
        return ()
    parts = [
        delete_member(place / nullable),
        replace_value(place / "type", [node["type"], "null"]),
    ]
    if "enum" in node:
        parts.append(_behind(place / "enum"))
    if "const" in node:
        value = node["const"]
        parts.append(rename_key(place / "const", "enum"))
        is_scalar = not isinstance(value, (dict, list))
        parts.append(replace_value(place / "const", [value, None]) if is_scalar else ())
    return tuple(edit for part in parts for edit in part) if all(parts) else ()


def _behind(values: Place) -> Edits:
    """Return the edit that adds null to a list in flow style; empty for any other."""
    location, listed = values.location, values.value_or_none
    if location.via or not (isinstance(listed, list) and listed and location.value.text[:1] == "["):
        return ()
    last = values.at(len(listed) - 1).location
    if last.via:
        return ()
    return (TextEdit(last.value.source.span(last.value.end, last.value.end), ", null"),)
