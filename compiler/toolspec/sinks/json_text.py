"""Serialization of JSON artifacts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from json.encoder import encode_basestring_ascii as literal
from math import isfinite
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from toolspec.syntax.nodes import JsonObject, JsonValue

_TEMPLATE = re.compile(r"\{(?=[{%])")


def json_text(value: JsonValue) -> str:
    """Return the value as JSON in ASCII, indented by two spaces, with a final newline.

    Members keep their order. The result equals that of `json.dumps(value, indent=2)`, which is
    several times slower because indentation disables the C encoder. Raises ValueError for NaN and
    infinities, which readers reject.
    """
    return JsonSerializer(width=0).text(value)


def json_example(value: JsonValue, width: int = 72) -> str:
    """Return the value as JSON in ASCII, with tags of templates in strings escaped.

    It can be pasted into a page that a preprocessor reads.
    """
    return _TEMPLATE.sub(r"\\u007b", JsonSerializer(width).text(value))


class JsonText(str):
    """A string of serialized JSON, inserted into a value as it is."""

    __slots__ = ()


def serialized_items(values: Sequence[JsonValue], depth: int) -> str:
    """Return values serialized as items of an array at a nesting depth."""
    line = "\n" + "  " * depth
    return ",".join(line + JsonSerializer().text(value, line)[:-1] for value in values)


def serialized_array(parts: Iterable[str], depth: int) -> Iterator[str]:
    """Yield the array of items serialized for this depth, one text after the other."""
    before = "["
    for part in parts:
        if part:
            yield before
            yield part
            before = ","
    yield "[]" if before == "[" else f"\n{'  ' * (depth - 1)}]"


class JsonSerializer:
    """Serializes values of several files, and their common parts only once.

    An object or array is on one line if that fits in `width`, so that a reviewer sees a tool whole
    and a new one adds few lines. A description is always on a line of its own: if it changes, no
    other line does. Objects are cached by identity and depth. Their members must therefore not
    change, as in documents.
    """

    def __init__(self, width: int = 120) -> None:
        self._width = width
        self._cache: dict[tuple[int, str], tuple[JsonObject, str]] = {}

    def text(self, value: JsonValue, line: str = "\n") -> str:
        """Return the value as `json_text` does; `line` starts each of its inner lines."""
        return f"{self._value(value, line)}\n"

    def pieces(self, value: Mapping[str, JsonValue | Iterator[str]]) -> Iterator[str]:
        """Yield the text of an object, each member on a line of its own, in pieces.

        An iterator is a large member as serialized JSON, in texts of which no copy is made.
        """
        before = "{"
        for name, member in value.items():
            yield f"{before}\n  {literal(name)}: "
            if isinstance(member, Iterator):
                yield from member
            else:
                yield self._value(member, "\n  ")
            before = ","
        yield "\n}\n"

    def _value(self, value: JsonValue, line: str) -> str:
        """Return a value; `line` is the newline and indentation of its last line."""
        if isinstance(value, dict):
            return self._object(value, line)
        if isinstance(value, list):
            return self._array(value, line)
        return _SCALARS[type(value)](value)

    def _object(self, value: JsonObject, line: str) -> str:
        if not value:
            return "{}"
        key = (id(value), line)
        if cached := self._cache.get(key):
            return cached[1]
        inner = line + "  "
        members = []
        is_deep = False
        for name, member in value.items():
            # Most members are scalars: avoid a function call.
            if serialize := _SCALARS.get(type(member)):
                members.append(f"{literal(name)}: {serialize(member)}")
            else:
                is_deep = is_deep or isinstance(member, dict)
                members.append(f"{literal(name)}: {self._value(member, inner)}")
        is_described = isinstance(value.get("description"), str)
        joined = _lines(members, line) if is_described else self._joined(members, line)
        text = f"{{{joined}}}"
        if is_deep:
            self._cache[key] = (value, text)  # with the value, so that its id is not reused
        return text

    def _array(self, value: list[JsonValue], line: str) -> str:
        inner = line + "  "
        items = [self._value(item, inner) for item in value]
        return f"[{self._joined(items, line)}]" if items else "[]"

    def _joined(self, members: list[str], line: str) -> str:
        """Return the text between the brackets of a value, on one line if it fits."""
        room = self._width - len(line) + 1
        if sum(map(len, members)) + 2 * len(members) <= room:
            joined = ", ".join(members)
            if "\n" not in joined:
                return joined
        return _lines(members, line)


def _lines(members: list[str], line: str) -> str:
    inner = f"{line}  "
    return f"{inner}{f',{inner}'.join(members)}{line}"


def _number(value: float) -> str:
    if not isfinite(value):
        message = f"JSON has no {value}"
        raise ValueError(message)
    return repr(value)


# By exact type; JSON has no other scalars.
_SCALARS: dict[type, Callable[[Any], str]] = {
    str: literal,
    JsonText: str,
    int: repr,
    float: _number,
    bool: {True: "true", False: "false"}.__getitem__,
    type(None): {None: "null"}.__getitem__,
}
