"""Whether a schema plainly admits null, and the edits that make it do so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import TextEdit
from toolspec.frontend.edits import delete_member, rename_key, replace_value
from toolspec.schema.keywords import IN_PLACE

if TYPE_CHECKING:
    from toolspec.frontend.edits import Edits
    from toolspec.syntax.nodes import JsonObject, JsonValue, Place

_NAMED: tuple[tuple[str, JsonValue], ...] = (("type", "null"), ("anyOf", {"type": "null"}))
# What is said with one of them may refuse null.
_OPAQUE = (IN_PLACE - {"anyOf"}) | {"$ref"}


def names_null(schema: JsonObject) -> bool:
    """Whether a schema names null among its types or choices, and nothing in it can refuse null."""
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
    """Return the edits by which a schema names null, in the place of a keyword that meant to.

    None where it has not one type, or where it is not plain what else would refuse null.
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
    """Return the edit that adds null to a list in flow style; none for any other."""
    location, listed = values.location, values.value_or_none
    if location.via or not (isinstance(listed, list) and listed and location.value.text[:1] == "["):
        return ()
    last = values.at(len(listed) - 1).location
    if last.via:
        return ()
    return (TextEdit(last.value.source.span(last.value.end, last.value.end), ", null"),)
