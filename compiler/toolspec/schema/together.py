"""Validates values against many schemas of a service with one validator, for which each is compiled once."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from toolspec.shared.validator import InvalidSchemaError, compiled
from toolspec.syntax.pointer import format_pointer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from toolspec.schema.bundle import Bundler, Key
    from toolspec.shared.explanation import Accepts
    from toolspec.syntax.nodes import JsonObject, JsonValue
    from toolspec.syntax.pointer import Path

# So many values are left to validators of their own: of few schemas, those are made faster.
_FEW = 3
# An object of all questions would be asked for each name of it in turn, whichever one is meant.
_WIDTH = 64


class Together:
    """Answers whether parts of some schemas accept values.

    A validator of its own for each schema would compile the definitions that they share once each.
    `parts` returns the schemas that values may be asked about, with the paths in them.
    """

    def __init__(
        self, bundler: Bundler, parts: Callable[[], Iterable[tuple[Key, Path]]], *, formats: bool
    ) -> None:
        self._bundler, self._parts, self._formats = bundler, parts, formats
        self._asked = 0
        self._numbers: dict[tuple[Key, Path], int] = {}
        self._validator: Accepts | None = None

    def accepts(self, key: Key, path: Path, value: JsonValue) -> bool | None:
        """Return whether the subschema at a path accepts a value; None if that is not known here.

        A value that the validator cannot decide about passes.
        """
        self._asked += 1
        if self._asked <= _FEW:
            return None
        if self._asked == _FEW + 1:
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
        for key, path in self._parts():
            keys[key] = None
            self._numbers[key, path] = len(self._numbers)
        roots, schemas = self._bundler.beside_each_other(keys)
        rows: list[dict[str, JsonValue]] = []
        for (key, path), number in self._numbers.items():
            if number % _WIDTH == 0:
                rows.append({})
            pointer = quote(format_pointer((*roots[key], *path)), safe="/~")
            rows[-1][str(number % _WIDTH)] = {"$ref": f"#{pointer}"}
        whole: JsonObject = {
            "properties": {str(row): {"properties": each} for row, each in enumerate(rows)},
            "$defs": schemas,
        }
        try:
            self._validator = compiled(whole, formats=self._formats)
        except InvalidSchemaError:  # a name that is taken twice, now that all are beside each other
            self._validator = None
