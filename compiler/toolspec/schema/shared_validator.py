"""Validates values against many schemas of a service with one shared validator."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from toolspec.shared.validator import InvalidSchemaError, compiled
from toolspec.syntax.pointer import format_pointer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from toolspec.schema.bundle import Bundler, Key
    from toolspec.shared.json_values import Accepts
    from toolspec.syntax.nodes import JsonObject, JsonValue
    from toolspec.syntax.pointer import Path

# The first values use separate validators, which compile faster for few schemas.
_SEPARATE_CALLS = 3
# Validating one property of an object visits all its properties, so they are split into rows.
_WIDTH = 64


class SharedValidator:
    """Validates values against subschemas of many schemas.

    Separate validators would each compile the shared definitions again. `subschemas` returns the
    key and path of each subschema to validate against.
    """

    def __init__(
        self,
        bundler: Bundler,
        subschemas: Callable[[], Iterable[tuple[Key, Path]]],
        *,
        formats: bool,
    ) -> None:
        self._bundler, self._subschemas, self._formats = bundler, subschemas, formats
        self._calls = 0
        self._numbers: dict[tuple[Key, Path], int] = {}
        self._validator: Accepts | None = None

    def accepts(self, key: Key, path: Path, value: JsonValue) -> bool | None:
        """Return whether the subschema at a path accepts a value; None if unknown.

        An undecided value counts as valid.
        """
        self._calls += 1
        if self._calls <= _SEPARATE_CALLS:
            return None
        if self._calls == _SEPARATE_CALLS + 1:
            self._compile()
        number = self._numbers.get((key, path))
        if number is None or self._validator is None:
            return None
        row, column = divmod(number, _WIDTH)
        try:
            return self._validator({str(row): {str(column): value}})
        except ValueError:
            return True

    def _compile(self) -> None:
        keys: dict[Key, None] = {}
        for key, path in self._subschemas():
            keys[key] = None
            self._numbers[key, path] = len(self._numbers)
        roots, schemas = self._bundler.combined_definitions(keys)
        rows: list[dict[str, JsonValue]] = []
        for (key, path), number in self._numbers.items():
            if number % _WIDTH == 0:
                rows.append({})
            pointer = quote(format_pointer((*roots[key], *path)), safe="/~")
            rows[-1][str(number % _WIDTH)] = {"$ref": f"#{pointer}"}
        whole: JsonObject = {
            "properties": {
                str(row): {"properties": properties} for row, properties in enumerate(rows)
            },
            "$defs": schemas,
        }
        try:
            self._validator = compiled(whole, formats=self._formats)
        except InvalidSchemaError:  # two of the combined schemas have the same identifier
            self._validator = None
