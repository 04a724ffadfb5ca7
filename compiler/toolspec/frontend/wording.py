"""Words for values, types and locations in messages, and corrections of invalid names."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from toolspec.frontend.naming.identifiers import snake_case

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolspec.syntax.nodes import JsonValue
    from toolspec.syntax.pointer import Path

MAX_QUOTED = 80

_TYPES = {
    "boolean": "true or false",
    "string": "a text",
    "object": "a mapping",
    "array": "a list",
    "number": "a number",
    "integer": "a whole number",
    "null": "empty",
}
GRAMMARS = {
    "serviceName": (
        "begin with a small letter, go on with letters and digits, and join words in small letters "
        "by single `-`; no `_`, which separates service and tool"
    ),
    "toolName": "begin with a letter, go on with letters and digits, and join words by single `_` or `-`",
    "hookName": "begin with a small letter, and go on with small letters, digits and `_`",
    "publicName": "use letters, digits, `_`, `-`, `.` and `/`, at most 128 characters",
    "iconName": "use small letters and digits, and join words by single `-`",
    "instanceName": (
        "begin with a small letter, go on with small letters and digits, and join words by single `-` "
        "or `_`"
    ),
    "errorCode": "begin with a letter, and go on with letters, digits, `_`, `-` and `.`",
}
# Spellings of booleans by people and older YAML.
TRUTHS = {
    **dict.fromkeys(("true", "yes", "on", "y"), "true"),
    **dict.fromkeys(("false", "no", "off", "n"), "false"),
}
_NOT_WORD = re.compile(r"[^A-Za-z0-9]+")
_NOT_ALIAS = re.compile(r"[^A-Za-z0-9_./-]+")


def expected(types: Iterable[str]) -> str:
    """Return the expected types in words."""
    *others, last = (_TYPES.get(type_, type_) for type_ in types)
    return f"{', '.join(others)} or {last}" if others else last


def found(value: JsonValue) -> str:
    """Return the type of a value in words."""
    match value:
        case None:
            return "empty"
        case bool():
            return f"`{str(value).lower()}`"
        case str():
            return f"the text `{quoted(value)}`"
        case int() | float():
            return f"the number {json.dumps(value)}"
        case list():
            return "a list"
        case dict():
            return "a mapping"


def quoted(text: str) -> str:
    """Return a text shortened for a sentence."""
    return text if len(text) <= MAX_QUOTED else f"{text[: MAX_QUOTED - 1]}…"


def brief(value: JsonValue) -> str:
    """Return a value as a document could have it; empty if that is long."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= MAX_QUOTED else ""


def named(path: Path) -> str:
    """Return the name of a path in words: its key, or the number of an item in a list."""
    if not path:
        return "the document"
    *_, last = path
    if isinstance(last, str):
        return f"`{last}`"
    lists = [step for step in path if isinstance(step, str)]
    return f"item {last + 1} of `{lists[-1]}`" if lists else f"item {last + 1}"


def legal_spelling(definition: str, name: str) -> str:
    """Return a similar legal name for an invalid one; may be empty, or still not legal."""
    if definition in {"hookName", "iconName", "instanceName"}:
        return snake_case(name).replace("_", "-" if definition == "iconName" else "_")
    if definition == "publicName":
        return _NOT_ALIAS.sub("_", name)
    words = [word for word in _NOT_WORD.split(name) if word]
    if definition != "serviceName" or not words:
        return "_".join(words)
    head, *tail = words
    return "-".join((head[0].lower() + head[1:], *(word.lower() for word in tail)))
