"""The one sink for JSON: how every JSON artifact is spelt."""

from __future__ import annotations

from json.encoder import encode_basestring_ascii as literal
from math import isfinite
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolspec.syntax.nodes import JsonValue


def json_text(value: JsonValue) -> str:
    """Return the value as JSON of two spaces' indent, in ASCII, with a final newline.

    Members keep their order. The text is that of `json.dumps(value, indent=2)`, which leaves the C
    encoder as soon as it indents and is several times slower. Raises ValueError for NaN and the
    infinities, which no reader lets through.
    """
    return _text(value, "\n") + "\n"


def _text(value: JsonValue, line: str) -> str:
    """Return a value; `line` is the newline and indentation of the line on which it ends."""
    if isinstance(value, str):
        return literal(value)
    inner = line + "  "
    if isinstance(value, dict):
        members = [f"{inner}{literal(key)}: {_text(each, inner)}" for key, each in value.items()]
        return f"{{{','.join(members)}{line}}}" if members else "{}"
    if isinstance(value, list):
        items = [inner + _text(each, inner) for each in value]
        return f"[{','.join(items)}{line}]" if items else "[]"
    return _scalar(value)


def _scalar(value: float | None) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isfinite(value):
        message = f"JSON has no {value}"
        raise ValueError(message)
    return repr(value)
