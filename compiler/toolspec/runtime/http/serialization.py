"""Serialization of argument values in the styles of OpenAPI (RFC 6570)."""

from __future__ import annotations

import json
import re
from urllib.parse import quote, quote_plus

from toolspec.shared.media_types import is_json

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Callable

    from toolspec.runtime.http.binding import HttpArgument
    from toolspec.shared.json_values import JsonObject, JsonValue

_UNRESERVED = "-._~"
_RESERVED_IN_PATH = ":@!$&'()*+,;="
_RESERVED_IN_QUERY = ":/?@!$'()*,;"  # the others end a parameter or a query
_TRIPLET = re.compile(r"%25([0-9A-Fa-f]{2})")
_DELIMITERS = {"spaceDelimited": "%20", "pipeDelimited": "%7C"}


def as_text(value: JsonValue) -> str:
    """Return a value as text: a string as it is, others as JSON."""
    return value if isinstance(value, str) else as_json(value)


def as_json(value: JsonValue) -> str:
    """Return compact JSON in ASCII. Raises ValueError for infinity and NaN."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def in_path(argument: HttpArgument, value: JsonValue) -> str:
    """Return a path argument, percent-encoded; `/` inside of it too."""

    def encoded(text: str) -> str:
        return quote(text, _UNRESERVED + (_RESERVED_IN_PATH if argument.allow_reserved else ""))

    if argument.content_type:
        return encoded(as_text(value))
    match argument.style:
        case "label":
            return "." + _joined(argument, value, encoded, "." if argument.explode else ",")
        case "matrix":
            return _matrix(argument, value, encoded)
        case _:
            return _joined(argument, value, encoded, ",")


def in_query(argument: HttpArgument, value: JsonValue) -> list[tuple[str, str]]:
    """Return the parameters of a query or form for an argument, names and values percent-encoded."""

    def encoded(text: str) -> str:
        if not argument.allow_reserved:
            return quote(text, _UNRESERVED)
        return _TRIPLET.sub(r"%\1", quote(text, _UNRESERVED + _RESERVED_IN_QUERY))

    is_deep = argument.style == "deepObject" and isinstance(value, (list, dict))
    if is_deep and not argument.content_type:
        pairs = _deep(quote(argument.wire_name, _UNRESERVED), value)
        return [(path, encoded(text)) for path, text in pairs]
    return _pairs(argument, value, lambda text: quote(text, _UNRESERVED), encoded)


def in_cookie(argument: HttpArgument, value: JsonValue) -> list[tuple[str, str]]:
    """Return the cookies for an argument: in the style `cookie` as they are, else as in a query."""
    if argument.style == "cookie":
        return _pairs(argument, value, str, str)
    return in_query(argument, value)


def in_querystring(argument: HttpArgument, value: JsonValue) -> str:
    """Return a whole query: the members of an object as a form, or a value as its media type."""
    media_type = argument.content_type.partition(";")[0].strip().lower()
    if media_type != "application/x-www-form-urlencoded":
        return quote(as_json(value) if is_json(media_type) else as_text(value), _UNRESERVED)
    if not isinstance(value, dict):
        return quote_plus(as_text(value), _UNRESERVED)
    return "&".join(
        f"{quote_plus(key, _UNRESERVED)}={quote_plus(as_text(item), _UNRESERVED)}"
        for key, member in value.items()
        for item in (member if isinstance(member, list) else [member])
        if item is not None
    )


def _pairs(
    argument: HttpArgument,
    value: JsonValue,
    encoded_name: Callable[[str], str],
    encoded: Callable[[str], str],
) -> list[tuple[str, str]]:
    name = encoded_name(argument.wire_name)
    if argument.content_type:
        return [(name, encoded(as_text(value)))]
    if argument.explode and isinstance(value, list):
        return [(name, encoded(as_text(item))) for item in _present(value)]
    if argument.explode and isinstance(value, dict):
        return [
            (encoded_name(key), encoded(as_text(member)))
            for key, member in value.items()
            if member is not None
        ]
    delimiter = _DELIMITERS.get(argument.style, ",")
    if isinstance(value, (list, dict)):
        items = _items(value)
        return [(name, delimiter.join(map(encoded, items)))] if items else []
    return [(name, encoded(as_text(value)))]


def in_header(argument: HttpArgument, value: JsonValue) -> str:
    """Return the value of a header; nothing in it is percent-encoded."""
    if argument.content_type:
        return as_text(value)
    return _joined(argument, value, str, ",")


def _deep(path: str, value: JsonValue) -> list[tuple[str, str]]:
    """Return the scalars in a value with their paths: keys and numbers of items in brackets."""
    if isinstance(value, list):
        value = {str(index): item for index, item in enumerate(_present(value))}
    if isinstance(value, dict):
        return [
            pair
            for key, member in value.items()
            for pair in _deep(f"{path}%5B{quote(key, _UNRESERVED)}%5D", member)
        ]
    return [] if value is None else [(path, as_text(value))]


def _present(items: list[JsonValue]) -> list[JsonValue]:
    return [item for item in items if item is not None]


def _joined(
    argument: HttpArgument, value: JsonValue, encoded: Callable[[str], str], delimiter: str
) -> str:
    if isinstance(value, dict) and argument.explode:
        members = _members(value)
        return delimiter.join(f"{encoded(key)}={encoded(text)}" for key, text in members)
    if isinstance(value, (list, dict)):
        return delimiter.join(map(encoded, _items(value)))
    return encoded(as_text(value))


def _matrix(argument: HttpArgument, value: JsonValue, encoded: Callable[[str], str]) -> str:
    name = quote(argument.wire_name, _UNRESERVED)
    if argument.explode and isinstance(value, dict):
        pairs = [(encoded(key), text) for key, text in _members(value)]
    elif argument.explode and isinstance(value, list):
        pairs = [(name, text) for text in _items(value)]
    else:
        joined = _joined(argument, value, encoded, ",")
        return f";{name}={joined}" if joined else f";{name}"
    return "".join(f";{key}={encoded(text)}" if text else f";{key}" for key, text in pairs)


def _items(value: list[JsonValue] | JsonObject) -> list[str]:
    """Return the items of an array, or keys and values of an object in turn; null is left out."""
    if isinstance(value, list):
        return [as_text(item) for item in _present(value)]
    return [text for pair in _members(value) for text in pair]


def _members(value: JsonObject) -> list[tuple[str, str]]:
    return [(key, as_text(member)) for key, member in value.items() if member is not None]
