"""A JSON value as a literal of YAML on one line: what fixes put into a document."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolspec.syntax.nodes import JsonValue

# A text of such words needs no quotes anywhere: in a block, in a flow, as a key.
_BARE = re.compile(r"[A-Za-z_$][A-Za-z0-9_$./-]*( [A-Za-z0-9_$./()-]+)*")
# Readers of YAML 1.1 take these for booleans and null.
_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})


def yaml_literal(value: JsonValue) -> str:
    """Return a value in flow style; texts are bare where that is safe, else in double quotes.

    A YAML 1.2 reader, and one of YAML 1.1, gives exactly this value back.
    """
    match value:
        case dict():
            members = (f"{yaml_literal(key)}: {yaml_literal(each)}" for key, each in value.items())
            return f"{{{', '.join(members)}}}"
        case list():
            return f"[{', '.join(map(yaml_literal, value))}]"
        case str() if _BARE.fullmatch(value) and value.lower() not in _WORDS:
            return value
        case _:
            return yaml_quoted(value)


def yaml_quoted(value: JsonValue) -> str:
    """Return a scalar as `yaml_literal` does, a text in double quotes in any case."""
    return _shown(value, lambda char: f"\\U{ord(char):08X}")


def json_literal(value: JsonValue) -> str:
    """Return a value as JSON on one line; characters that nobody sees are escaped."""
    return _shown(value, lambda char: json.dumps(char)[1:-1])


def _shown(value: JsonValue, escape: Callable[[str], str]) -> str:
    # What JSON escapes itself is printable then; what is left stands inside of quotes.
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return "".join(char if char.isprintable() else escape(char) for char in text)
