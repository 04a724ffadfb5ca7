"""The one sink for JSON: how every JSON artifact is spelt."""

from __future__ import annotations

from json.encoder import encode_basestring_ascii as literal
from math import isfinite
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from toolspec.syntax.nodes import JsonObject, JsonValue


def json_text(value: JsonValue) -> str:
    """Return the value as JSON of two spaces' indent, in ASCII, with a final newline.

    Members keep their order. The text is that of `json.dumps(value, indent=2)`, which leaves the C
    encoder as soon as it indents and is several times slower. Raises ValueError for NaN and the
    infinities, which no reader lets through.
    """
    return Speller().text(value)


class Spelled(str):
    """A text that is JSON already; it stands in a value as it is."""

    __slots__ = ()


def spelled_items(values: Sequence[JsonValue], depth: int) -> str:
    """Return values as items of an array whose items stand so many levels deep, to be kept."""
    line = "\n" + "  " * depth
    return ",".join(line + Speller().text(each, line)[:-1] for each in values)


def spelled_array(parts: Iterable[str], depth: int) -> Spelled:
    """Return the array of all items that were spelt for this depth."""
    items = ",".join(part for part in parts if part)
    return Spelled(f"[{items}\n{'  ' * (depth - 1)}]" if items else "[]")


class Speller:
    """Spells the values of several files, and what they have in common only once.

    An object that holds others is known again by its identity, at the same depth. So its members
    must stay what they are, as those of documents do.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[int, str], tuple[JsonObject, str]] = {}

    def text(self, value: JsonValue, line: str = "\n") -> str:
        """Return the value as `json_text` does; `line` begins each of its own lines."""
        return self._value(value, line) + "\n"

    def _value(self, value: JsonValue, line: str) -> str:
        """Return a value; `line` is the newline and indentation of the line on which it ends."""
        if isinstance(value, dict):
            return self._object(value, line)
        if isinstance(value, list):
            return self._array(value, line)
        return _SCALARS[type(value)](value)

    def _object(self, value: JsonObject, line: str) -> str:
        if not value:
            return "{}"
        key = (id(value), line)
        if known := self._known.get(key):
            return known[1]
        inner = line + "  "
        members = []
        is_deep = False
        for name, each in value.items():
            # Most members are scalars: they are worth no call of ours.
            if spell := _SCALARS.get(type(each)):
                members.append(f"{inner}{literal(name)}: {spell(each)}")
            else:
                is_deep = is_deep or isinstance(each, dict)
                members.append(f"{inner}{literal(name)}: {self._value(each, inner)}")
        text = f"{{{','.join(members)}{line}}}"
        if is_deep:
            self._known[key] = (value, text)  # the value too: its identity is not given away
        return text

    def _array(self, value: list[JsonValue], line: str) -> str:
        inner = line + "  "
        items = [inner + self._value(each, inner) for each in value]
        return f"[{','.join(items)}{line}]" if items else "[]"


def _number(value: float) -> str:
    if not isfinite(value):
        message = f"JSON has no {value}"
        raise ValueError(message)
    return repr(value)


# By exact type; nothing else is a scalar of JSON.
_SCALARS: dict[type, Callable[[Any], str]] = {
    str: literal,
    Spelled: str,
    int: repr,
    float: _number,
    bool: {True: "true", False: "false"}.__getitem__,
    type(None): {None: "null"}.__getitem__,
}
