"""Masks the values that a schema declares secret, by `writeOnly` or the format `password`."""

from __future__ import annotations

import json
from functools import lru_cache

from toolspec.shared.explanation import Explainer
from toolspec.shared.secret_locations import declares_secret

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolspec.shared.json_values import JsonValue

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
        self._locations = Explainer(schema).secret_locations

    def masked(self, value: JsonValue) -> JsonValue:
        return self._masked((self._schema,), value)

    def _masked(self, schemas: Iterable[JsonValue], value: JsonValue) -> JsonValue:
        applied = self._locations.applied(schemas)
        if applied is None or any(map(declares_secret, applied)):
            return MASK
        if isinstance(value, dict):
            return {
                name: self._masked(self._locations.inside(applied, name), item)
                for name, item in value.items()
            }
        if isinstance(value, list):
            return [
                self._masked(self._locations.inside(applied, number), item)
                for number, item in enumerate(value)
            ]
        return value
