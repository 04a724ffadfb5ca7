"""Tables of a TOML file with the locations of their values, which `tomllib` does not provide."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from toolspec.diagnostics import did_you_mean
from toolspec.driver import kinds
from toolspec.shared.records import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from toolspec.diagnostics import Diagnostic
    from toolspec.source import SourceFile, Span

    Path = tuple[str | int, ...]
    _Key = tuple[str, tuple[int, int]]

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_LONG = re.compile(r'"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?\'{3,5}', re.DOTALL)
_SHORT = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'')
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_WORD = re.compile(r"[^,\]}#\r\n]+")


@dataclass(frozen=True, slots=True)
class Entry:
    """Spans of a value and its key; an array item has no key.

    A table has the span of its header.
    """

    value: tuple[int, int]
    key: tuple[int, int] | None = None


class TomlLocations:
    """Locations in a text that `tomllib` has parsed; scanned on first use."""

    def __init__(self, source: SourceFile) -> None:
        self.source = source

    @cached_property
    def _entries(self) -> Mapping[Path, Entry]:
        return _Scan(self.source.text).run()

    def key(self, *path: str | int) -> Span:
        """Return the span of a key, or of a value without one, or else of the nearest parent."""
        entry = self._nearest(path)
        return self.source.span(*(entry.key or entry.value))

    def value(self, *path: str | int) -> Span:
        """Return the span of a value, or else of the nearest parent."""
        return self.source.span(*self._nearest(path).value)

    def _nearest(self, path: Path) -> Entry:
        for end in range(len(path), 0, -1):
            if entry := self._entries.get(path[:end]):
                return entry
        return Entry((0, 0))


@dataclass(slots=True)
class _Scan:
    """One pass over a text. `counts` has the number of tables of each array so far."""

    text: str
    at: int = 0
    entries: dict[Path, Entry] = field(default_factory=dict)
    counts: dict[Path, int] = field(default_factory=dict)

    def run(self) -> dict[Path, Entry]:
        """Return every entry by its path."""
        table: Path = ()
        self._skip(_BLANK)
        while self.at < len(self.text):
            if self.text[self.at] == "[":
                table = self._header()
            else:
                self._pair(table)
            self._skip(_BLANK)
        return self.entries

    def _header(self) -> Path:
        """Record a table header; return its path, in an array that of the latest table."""
        is_array = self.text.startswith("[[", self.at)
        self.at += 1 + is_array
        *above, (name, span) = self._keys()
        self.at = self.text.index("]", self.at) + 1 + is_array
        path = self._note(self._note((), above), [(name, span)], is_new=is_array)
        self.entries[path] = Entry(span, span)
        return path

    def _note(self, path: Path, keys: list[_Key], *, is_new: bool = False) -> Path:
        """Record the tables of a dotted key; return the path, in an array of the latest table."""
        for name, span in keys:
            path = (*path, name)
            self.entries.setdefault(path, Entry(span, span))
            if is_new:
                self.counts[path] = self.counts.get(path, -1) + 1
            if path in self.counts:
                path = (*path, self.counts[path])
        return path

    def _pair(self, table: Path) -> None:
        *above, (name, span) = self._keys()
        self.at = self.text.index("=", self.at) + 1
        path = (*self._note(table, above), name)
        self._skip(_SPACE)
        start = self.at
        self._value(path)
        self.entries[path] = Entry((start, self.at), span)

    def _keys(self) -> list[_Key]:
        """Return the parts of a dotted key, each with its span."""
        keys: list[_Key] = []
        while True:
            self._skip(_SPACE)
            start = self.at
            self._skip(_SHORT if self.text[start] in "\"'" else _BARE)
            keys.append((_read(self.text[start : self.at]), (start, self.at)))
            self._skip(_SPACE)
            if self.text[self.at] != ".":
                return keys
            self.at += 1

    def _value(self, path: Path) -> None:
        match self.text[self.at]:
            case "[":
                self._array(path)
            case "{":
                self._inline(path)
            case "'" | '"' as quote:
                is_long = self.text.startswith(quote * 3, self.at)
                self._skip(_LONG if is_long else _SHORT)
            case _:
                self._skip(_WORD)
                self.at = len(self.text[: self.at].rstrip())

    def _array(self, path: Path) -> None:
        self._enter()
        number = 0
        while self.text[self.at] != "]":
            start = self.at
            self._value((*path, number))
            self.entries[*path, number] = Entry((start, self.at))
            number += 1
            self._comma()
        self.at += 1

    def _inline(self, path: Path) -> None:
        self._enter()
        while self.text[self.at] != "}":
            self._pair(path)
            self._comma()
        self.at += 1

    def _enter(self) -> None:
        self.at += 1
        self._skip(_BLANK)

    def _comma(self) -> None:
        self._skip(_BLANK)
        if self.text[self.at] == ",":
            self._enter()

    def _skip(self, pattern: re.Pattern[str]) -> None:
        match = pattern.match(self.text, self.at)
        self.at = match.end() if match else self.at


def _read(key: str) -> str:
    """Return the unquoted name of a part of a key."""
    if key[:1] not in {'"', "'"}:
        return key
    import tomllib

    return next(iter(tomllib.loads(f"{key} = 0")))


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
