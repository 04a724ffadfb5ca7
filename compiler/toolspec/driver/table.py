"""A table of the configuration with the locations of its values, and its diagnostics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import did_you_mean
from toolspec.driver import kinds
from toolspec.shared.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from toolspec.diagnostics import Diagnostic
    from toolspec.driver.toml_locations import TomlLocations
    from toolspec.source import Span


@dataclass(frozen=True, slots=True)
class Table:
    """A table at a path of a file.

    `name` is its name in messages, `diagnostics` those so far.
    """

    value: Mapping[str, object]
    name: str
    path: tuple[str | int, ...]
    locations: TomlLocations
    diagnostics: list[Diagnostic]

    def add(self, diagnostic: Diagnostic) -> None:
        """Add a diagnostic."""
        self.diagnostics.append(diagnostic)

    def span(self, *steps: str | int) -> Span:
        """Return the span of a value; for the table itself, that of its key."""
        return (self.locations.value if steps else self.locations.key)(*self.path, *steps)

    def key_span(self, key: str) -> Span:
        """Return the span of a key."""
        return self.locations.key(*self.path, key)

    def check_keys(self, keys: Iterable[str]) -> None:
        """Report every unknown key."""
        keys = tuple(keys)
        for key in self.value:
            if key not in keys:
                hint = did_you_mean(key, keys)
                span, named = self.key_span(key), self.full_name(key)
                self.add(kinds.CONFIG_UNKNOWN_KEY.at(span, key=named, suggestion=hint))

    def full_name(self, key: str) -> str:
        """Return the name of a key in messages."""
        return f"{self.name}.{key}" if self.name else key

    def report_type(self, key: str, expected: str, example: str) -> None:
        """Report a key with an unexpected value."""
        span, named, wrong = self.key_span(key), self.full_name(key), kinds.CONFIG_WRONG_TYPE
        self.add(wrong.at(span, key=named, expected=expected, example=example))

    def text(self, key: str, example: str) -> str:
        """Return a text, or an empty one if the key is missing."""
        value = self.value.get(key, "")
        if isinstance(value, str):
            return value
        self.report_type(key, "a string", example)
        return ""

    def texts(self, key: str, example: str) -> tuple[str, ...]:
        """Return a list of texts, or a single text as a list; empty if the key is missing."""
        value = self.value.get(key, [])
        if isinstance(value, str):
            return (value,)
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return tuple(value)
        self.report_type(key, "a list of strings", example)
        return ()

    def table(self, key: str, example: str) -> Table:
        """Return a subtable, or an empty one if the key is missing."""
        value = self.value.get(key, {})
        if not isinstance(value, dict):
            self.report_type(key, "a table", example)
            value = {}
        return Table(
            value, self.full_name(key), (*self.path, key), self.locations, self.diagnostics
        )

    def tables(self, key: str) -> Iterator[Table]:
        """Yield the tables of an array."""
        value = self.value.get(key, [])
        name = self.full_name(key)
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            self.report_type(key, "a list of tables", f"[[{name}]]")
            return
        for index, item in enumerate(value):
            yield Table(item, name, (*self.path, key, index), self.locations, self.diagnostics)
