"""Wraps a schema as the one property of an object, for protocols whose results are objects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.shared.keywords import APPLICATORS, Holds

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolspec.shared.json_values import JsonObject, JsonValue

RESULT = "result"
_MOVED = f"#/properties/{RESULT}"
_DEFINITION = "#/$defs/"


def wrapped(schema: JsonValue) -> JsonObject:
    """Return `{"result": schema}` with its `$defs` at the new root, where references look for them.

    A schema with an `$id` is the root of its own references and is not changed.
    """
    wrapper: JsonObject = {"type": "object", "properties": {RESULT: schema}, "required": [RESULT]}
    if not isinstance(schema, dict) or "$id" in schema:
        return wrapper
    inner = _moved_object(schema, _moved_reference)
    definitions = inner.pop("$defs", None)
    wrapper["properties"] = {RESULT: inner}
    return wrapper if definitions is None else {**wrapper, "$defs": definitions}


def unwrapped(schema: JsonValue) -> JsonValue:
    """Return the schema in a wrapper; None for any other schema."""
    match schema:
        case {"type": "object", "properties": {"result": dict() | bool() as inner}, **rest}:
            definitions = rest.get("$defs")
            if not isinstance(inner, dict) or not isinstance(definitions, dict):
                return _moved(inner, _moved_back)
            definitions = {
                name: _moved(definition, _moved_back) for name, definition in definitions.items()
            }
            return {**_moved_object(inner, _moved_back), "$defs": definitions}
    return None


def _moved(schema: JsonValue, move: Callable[[str], str]) -> JsonValue:
    """Return a schema with each reference rewritten by `move`."""
    return _moved_object(schema, move) if isinstance(schema, dict) else schema


def _moved_object(schema: JsonObject, move: Callable[[str], str]) -> JsonObject:
    moved: JsonObject = {}
    for keyword, value in schema.items():
        if keyword in {"$ref", "$dynamicRef"} and isinstance(value, str):
            moved[keyword] = move(value)
        elif APPLICATORS.get(keyword) is Holds.MAP and isinstance(value, dict):
            moved[keyword] = {name: _moved(item, move) for name, item in value.items()}
        elif keyword in APPLICATORS and isinstance(value, list):
            moved[keyword] = [_moved(item, move) for item in value]
        else:
            moved[keyword] = _moved(value, move) if keyword in APPLICATORS else value
    return moved


def _moved_reference(reference: str) -> str:
    if reference == "#":
        return _MOVED
    if reference.startswith("#/") and not reference.startswith(_DEFINITION):
        return _MOVED + reference[1:]
    return reference


def _moved_back(reference: str) -> str:
    if reference == _MOVED or reference.startswith(f"{_MOVED}/"):
        return f"#{reference.removeprefix(_MOVED)}"
    return reference
