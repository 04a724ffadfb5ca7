"""Parts of tools and schemas that an update merges one by one, and their recorded digests."""

from __future__ import annotations

from base64 import b32encode
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from toolspec.importers.tool import SUPPRESSIONS
from toolspec.shared.canonical import canonical_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from toolspec.syntax.nodes import JsonObject, JsonValue
    from toolspec.syntax.pointer import Path

RECORD: Final = "x-toolspec-import"
"""Member of a document with the digests of what was imported, by operation and definition."""
REQUIRED: Final = "required"
ERRORS: Final = "errors"
_SCHEMAS = frozenset({"inputSchema", "outputSchema", "chunkSchema"})
_OF_PERSONS = frozenset({"source", SUPPRESSIONS})
# Characters of base32: a part is found by three of its path, and compared by four of its value. Two
# parts with the same three are at worst reported as a conflict.
_NAME, _VALUE = 3, 4
_ENTRY = _NAME + _VALUE


def units_of_tool(tool: JsonObject) -> dict[Path, JsonValue]:
    """Return the parts of a tool by path: arguments, required names, errors, and other fields."""
    units: dict[Path, JsonValue] = {}
    for field, value in tool.items():
        if field in _OF_PERSONS:
            continue
        if field in _SCHEMAS and isinstance(value, dict):
            units |= {(field, *path): part for path, part in units_of_schema(value).items()}
        elif field == "annotations" and isinstance(value, dict):
            units |= {(field, key): part for key, part in value.items()}
        elif field == "http" and isinstance(value, dict):
            units |= {(field, key): part for key, part in value.items() if key != "in"}
            units |= {(field, "in", key): part for key, part in _members(value.get("in"))}
        elif field == ERRORS and isinstance(value, list):
            units |= {
                (field, str(error.get("code"))): error for error in value if isinstance(error, dict)
            }
        else:
            units[field,] = value
    return units


def units_of_schema(schema: JsonValue) -> dict[Path, JsonValue]:
    """Return the parts of a schema by path: its members, its required names, and other keywords."""
    if not isinstance(schema, dict):
        return {(): schema}
    units: dict[Path, JsonValue] = {}
    for keyword, value in schema.items():
        if keyword == "properties" and isinstance(value, dict):
            units |= {(keyword, name): member for name, member in value.items()}
        elif keyword == REQUIRED and isinstance(value, list):
            units |= {(keyword, str(name)): True for name in value}
        elif keyword not in _OF_PERSONS:
            units[keyword,] = value
    return units


def units_of_service(service: JsonObject) -> dict[Path, JsonValue]:
    """Return the parts of a service by path: its fields, without its name."""
    return {(field,): value for field, value in service.items() if field not in {"name", "names"}}


def digest(units: Mapping[Path, JsonValue]) -> str:
    """Return the record of some parts."""
    entries = (_name(path) + _value(path, value) for path, value in units.items())
    return "".join(sorted(entries))


class Record:
    """What was imported before, as far as digests tell."""

    def __init__(self, text: JsonValue) -> None:
        text = text if isinstance(text, str) else ""
        entries = [text[at : at + _ENTRY] for at in range(0, len(text), _ENTRY)]
        self._entries = frozenset(entries)
        self._names = frozenset(entry[:_NAME] for entry in entries)

    def has(self, path: Path) -> bool:
        """Return whether the part was imported."""
        return _name(path) in self._names

    def equals(self, path: Path, value: JsonValue) -> bool:
        """Return whether the part was imported with this value."""
        return _name(path) + _value(path, value) in self._entries

    def is_unchanged(self, units: Mapping[Path, JsonValue]) -> bool:
        """Return whether these are exactly the imported parts."""
        return len(units) == len(self._entries) and all(
            self.equals(path, value) for path, value in units.items()
        )


def is_same(one: JsonValue, other: JsonValue) -> bool:
    """Return whether two values are equal, types included."""
    return one is other or canonical_json(one) == canonical_json(other)


def _members(value: JsonValue) -> Iterable[tuple[str, JsonValue]]:
    return value.items() if isinstance(value, dict) else ()


def _name(path: Path) -> str:
    return _hash(canonical_json(list(path)), _NAME)


def _value(path: Path, value: JsonValue) -> str:
    return _hash(canonical_json([list(path), value]), _VALUE)


def _hash(text: str, length: int) -> str:
    code = b32encode(blake2b(text.encode("ascii"), digest_size=5).digest())
    return code.decode("ascii").lower()[:length]


def merged(
    record: Record, local: Mapping[Path, JsonValue], upstream: Mapping[Path, JsonValue]
) -> Iterator[tuple[Path, str]]:
    """Yield the parts that differ from those upstream, each with what to do.

    `set` and `delete` follow upstream; `conflict` means that both sides changed. A part that only
    the document changed is not among them.
    """
    for path in dict.fromkeys((*upstream, *local)):
        known = record.has(path)
        if path in local and path in upstream:
            if is_same(local[path], upstream[path]) or record.equals(path, upstream[path]):
                continue
            yield path, "set" if record.equals(path, local[path]) else "conflict"
        elif path in upstream:
            if not known:
                yield path, "set"
            elif not record.equals(path, upstream[path]):
                yield path, "conflict"
        elif known:
            yield path, "delete" if record.equals(path, local[path]) else "conflict"
