"""Typed access to a validated mapping: each accessor narrows one value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.ir import Schema
from toolspec.shared.keywords import ALLOW
from toolspec.shared.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.syntax.nodes import JsonObject, JsonValue, Location

# Members with content of another kind: schemas keep their extensions, and examples hold data.
_OPAQUE = frozenset(
    {"inputSchema", "outputSchema", "chunkSchema", "settings", "auth", "input", "output"}
)
# Members whose keys are names of arguments or credentials, also `x-trace`.
_MAPS = frozenset({"in", "security"})


@dataclass(frozen=True, slots=True)
class Fields:
    """A mapping of the document with its location.

    Values have passed the document schema unless they are broken, so a value of another type is a
    bug of the compiler: the accessors assert.
    """

    value: JsonObject
    location: Location

    @classmethod
    def of(cls, value: JsonValue, location: Location) -> Fields:
        """Return the fields of a mapping, without the broken ones."""
        assert isinstance(value, dict), location.pointer
        if broken := location.document.broken:
            path = location.path
            value = {key: item for key, item in value.items() if (*path, key) not in broken}
        return cls(value, location)

    def __contains__(self, key: str) -> bool:
        return key in self.value

    def get(self, key: str) -> JsonValue:
        """Return the value as it is written, or None."""
        return self.value.get(key)

    def text(self, key: str, default: str = "") -> str:
        """Return a string."""
        value = self.value.get(key, default)
        assert isinstance(value, str), key
        return value

    def flag(self, key: str, *, default: bool = False) -> bool:
        """Return a boolean."""
        value = self.value.get(key, default)
        assert isinstance(value, bool), key
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of strings; empty if the key is missing."""
        value = self.value.get(key)
        return (
            tuple(item for item in value if isinstance(item, str))
            if isinstance(value, list)
            else ()
        )

    def items(self, key: str) -> list[JsonValue]:
        """Return a list; empty if the key is missing."""
        value = self.value.get(key)
        return value if isinstance(value, list) else []

    def each(self, key: str) -> Iterator[Fields]:
        """Yield the mappings of a list."""
        for index, value in enumerate(self.items(key)):
            yield Fields.of(value, self.location.at(key, index))

    def within(self, key: str) -> Fields | None:
        """Return the mapping under a key, or None."""
        value = self.value.get(key)
        return Fields.of(value, self.location / key) if isinstance(value, dict) else None

    def pairs(self, key: str) -> tuple[tuple[str, str], ...]:
        """Return a mapping from string to string, without extensions."""
        value = self.value.get(key)
        if not isinstance(value, dict):
            return ()
        members = ((name, text) for name, text in value.items() if not name.startswith("x-"))
        return tuple((name, text) for name, text in members if isinstance(text, str))

    def schema(self, key: str) -> Schema | None:
        """Return an embedded schema as it is written, or None."""
        return Schema.of(self.value[key], self.location / key) if key in self.value else None

    @property
    def extensions(self) -> JsonObject:
        """The `x-*` members without suppressions, which only this compiler reads."""
        return {key: value for key, value in self.value.items() if _is_extension(key)}

    @property
    def all_extensions(self) -> JsonObject:
        """The `x-*` members with those of nested mappings, named by path: `icons.0.x-size`."""
        return dict(_extensions(self.value, ""))


def _is_extension(key: str) -> bool:
    return key.startswith("x-") and key != ALLOW


def _extensions(
    value: JsonObject | list[JsonValue], path: str, *, is_map: bool = False
) -> Iterator[tuple[str, JsonValue]]:
    members = value.items() if isinstance(value, dict) else enumerate(value)
    for key, member in members:
        if isinstance(key, str) and key.startswith("x-") and not is_map:
            if key != ALLOW:
                yield path + key, member
        elif isinstance(member, (dict, list)) and (is_map or key not in _OPAQUE):
            holds_names = is_map if isinstance(value, list) else key in _MAPS and not is_map
            yield from _extensions(member, f"{path}{key}.", is_map=holds_names)
