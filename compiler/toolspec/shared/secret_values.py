"""Masks the values that a schema declares secret, by `writeOnly` or the format `password`."""

from __future__ import annotations

import json
from functools import lru_cache

from toolspec.shared.explanation import Explainer

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolspec.shared.json_values import JsonObject, JsonValue

MASK = "***"


def masked(schema: str, value: JsonValue) -> JsonValue:
    """Return a value for a person, with `***` in place of what its schema, as JSON, calls secret.

    A member that may be secret is masked: if one of several branches says so, or any pattern.
    """
    if "writeOnly" not in schema and "password" not in schema:
        return value
    return _mask(schema).masked(value)


@lru_cache(maxsize=64)
def _mask(schema: str) -> _Mask:
    return _Mask(json.loads(schema))


class _Mask:
    def __init__(self, schema: JsonValue) -> None:
        self._schema = schema
        self._explainer = Explainer(schema)

    def masked(self, value: JsonValue) -> JsonValue:
        return self._masked((self._schema,), value)

    def _masked(self, schemas: Iterable[JsonValue], value: JsonValue) -> JsonValue:
        applied = self._applied(schemas)
        if any(map(self._explainer.is_secret, applied)):
            return MASK
        if isinstance(value, dict):
            return {
                name: self._masked(_of_member(applied, name), item) for name, item in value.items()
            }
        if isinstance(value, list):
            return [
                self._masked(_of_item(applied, number), item) for number, item in enumerate(value)
            ]
        return value

    def _applied(self, schemas: Iterable[JsonValue]) -> tuple[JsonObject, ...]:
        """Return the schemas, and all that they may apply to the same value."""
        found: dict[int, JsonObject] = {}
        pending = [*schemas]
        while pending:
            schema = pending.pop()
            if not isinstance(schema, dict) or id(schema) in found:
                continue
            found[id(schema)] = schema
            pending += self._explainer.parts_in_place(schema)
        return tuple(found.values())


def _of_member(schemas: Iterable[JsonObject], name: str) -> Iterator[JsonValue]:
    for schema in schemas:
        properties, patterns = schema.get("properties"), schema.get("patternProperties")
        if isinstance(properties, dict) and name in properties:
            yield properties[name]
            continue
        yield schema.get("additionalProperties")
        yield from patterns.values() if isinstance(patterns, dict) else ()


def _of_item(schemas: Iterable[JsonObject], number: int) -> Iterator[JsonValue]:
    for schema in schemas:
        first = schema.get("prefixItems")
        if isinstance(first, list) and number < len(first):
            yield first[number]
        else:
            yield schema.get("items")
