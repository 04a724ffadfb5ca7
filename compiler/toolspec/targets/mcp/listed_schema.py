"""Schemas in a tool list, in a form that most clients read, with an object as the result."""

from __future__ import annotations

from operator import is_not
from typing import TYPE_CHECKING

from toolspec.schema.dialect import Dialect, read_dialect
from toolspec.shared.keywords import APPLICATORS, Holds
from toolspec.shared.result_form import is_object
from toolspec.shared.result_wrapper import wrapped

if TYPE_CHECKING:
    from toolspec.syntax.nodes import JsonObject, JsonValue

# Keywords whose boolean values every client reads.
_BOOLEAN = frozenset({"additionalProperties", "unevaluatedProperties", "unevaluatedItems"})


def listed_schema(source: JsonValue, bundle: JsonObject) -> JsonObject:
    """Return a schema for a tool list: as its author wrote it, if the bundle is equivalent.

    `$schema` and anchors are ignored, as a bundle has no use for them: so a list shows its source
    keyword for keyword, as the protocol's conformance tests expect. The bundle is shown where
    references were rewritten, or another dialect was translated. A boolean schema becomes an object
    in any case: some clients that translate schemas fail on it.
    """
    is_same = source is not bundle and _is_same(source, bundle)
    return _of_objects(source if is_same and isinstance(source, dict) else bundle)


def _is_same(source: JsonValue, bundle: JsonValue) -> bool:
    match source, bundle:
        case dict(), dict():
            more = source.keys() - bundle.keys()
            return (
                len(source) == len(bundle) + len(more)
                and all(_may_stay(key, source[key]) for key in more)
                and all(_is_same(source[key], value) for key, value in bundle.items())
            )
        case list(), list():
            return len(source) == len(bundle) and all(map(_is_same, source, bundle))
    return source == bundle


def _may_stay(keyword: str, value: JsonValue) -> bool:
    """Return whether a keyword may stay although the bundle does not have it.

    Not `$id`: some clients register schemas by it, and refuse the second of one name.
    """
    return keyword == "$anchor" or (
        keyword == "$schema" and read_dialect(value) is Dialect.DRAFT_2020_12
    )


def _of_objects(schema: JsonObject) -> JsonObject:
    """Return a schema without boolean schemas; the same object where nothing changes."""
    if APPLICATORS.keys().isdisjoint(schema):
        return schema
    changed: JsonObject = {}
    for keyword in schema.keys() & APPLICATORS.keys():
        value = schema[keyword]
        converted = value
        if isinstance(value, dict) and APPLICATORS[keyword] is Holds.MAP:
            inside = {name: _as_object(item) for name, item in value.items()}
            converted = inside if any(map(is_not, inside.values(), value.values())) else value
        elif isinstance(value, list):
            parts = [_as_object(item) for item in value]
            converted = parts if any(map(is_not, parts, value)) else value
        elif not isinstance(value, bool) or keyword not in _BOOLEAN:
            converted = _as_object(value)
        if converted is not value:
            changed[keyword] = converted
    return {**schema, **changed} if changed else schema


def _as_object(schema: JsonValue) -> JsonValue:
    if isinstance(schema, bool):
        return {} if schema else {"not": {}}
    return _of_objects(schema) if isinstance(schema, dict) else schema


def as_object(schema: JsonValue) -> JsonObject:
    """Return a schema with `type: object` at its root: unchanged if it is one, else wrapped."""
    if isinstance(schema, dict) and is_object(schema):
        return schema if "type" in schema else {"type": "object", **schema}
    return wrapped(schema)
