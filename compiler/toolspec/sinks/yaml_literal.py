"""Serialization of JSON values as one-line YAML, for fixes."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolspec.syntax.nodes import JsonValue

# A text of such words needs no quotes in any position: block, flow, or key.
_BARE = re.compile(r"[A-Za-z_$][A-Za-z0-9_$./-]*( [A-Za-z0-9_$./()-]+)*")
# YAML 1.1 readers take these for booleans and null.
_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})


def yaml_literal(value: JsonValue) -> str:
    """Return a value in flow style; strings are bare if that is safe, else double-quoted.

    Readers of YAML 1.2 and of YAML 1.1 return exactly this value.
    """
    match value:
        case dict():
            members = (
                f"{yaml_literal(key)}: {yaml_literal(member)}" for key, member in value.items()
            )
            return f"{{{', '.join(members)}}}"
        case list():
            return f"[{', '.join(map(yaml_literal, value))}]"
        case str() if _BARE.fullmatch(value) and value.lower() not in _WORDS:
            return value
        case _:
            return yaml_quoted(value)


def yaml_quoted(value: JsonValue) -> str:
    """Return a scalar as `yaml_literal` does, but always quote strings."""
    return _shown(value, lambda char: f"\\U{ord(char):08X}")


def json_literal(value: JsonValue) -> str:
    """Return a value as one-line JSON with invisible characters escaped."""
    return _shown(value, lambda char: json.dumps(char)[1:-1])


def _shown(value: JsonValue, escape: Callable[[str], str]) -> str:
    # The rest is printable after JSON's escapes, and remains inside quotes.
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return "".join(char if char.isprintable() else escape(char) for char in text)
