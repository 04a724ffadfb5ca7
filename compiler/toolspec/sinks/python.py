"""Escaping of text for Python code: `literal` for values, `docstring` for documentation."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolspec.syntax.nodes import JsonValue

# Printable in Python but invisible, or able to change adjacent characters.
_INVISIBLE = "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef"
_UNSAFE = re.compile(f"[^\x20-\x7e]|[{_INVISIBLE}]")
_PLAIN = bytes(range(0x20, 0x7F))
_PLAIN_LINES = _PLAIN + b"\n"
# Most short texts: printable ASCII without a special meaning between double quotes.
_NO_ESCAPES = re.compile(r"[ !#-\[\]-~]*")
_HIDDEN = re.compile(f"[{_INVISIBLE}]")
_QUOTE_RUN = re.compile('"{3,}')
_ENDS_IN_QUOTE = re.compile(r'(?<!\\)(?:\\\\)*"\Z')
_LATIN, _BASIC_PLANE = 0xFF, 0xFFFF
_TEMPLATE = re.compile(r"\{(?=[{%])")
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def literal(value: str | float | bool | None) -> str:
    """Return the Python literal of a scalar as `ruff format` writes it.

    A string has double quotes unless it contains more of them than single ones.
    """
    if not isinstance(value, str):
        return repr(value).replace("e+", "e")
    if _NO_ESCAPES.fullmatch(value):
        return f'"{value}"'
    quote = "'" if value.count('"') > value.count("'") else '"'
    body = _escaped(value.replace("\\", "\\\\")).replace(quote, f"\\{quote}")
    return f"{quote}{body}{quote}"


def expression(value: JsonValue, indent: str = "", width: int = 88) -> str:
    """Return a JSON value as Python in ASCII, one item a line where it is wider than `width`.

    Tags of templates in strings are escaped, so that the code can be shown on any page.
    """
    if not isinstance(value, (dict, list)):
        text = literal(value)
        return _TEMPLATE.sub(r"\\x7b", text if text.isascii() else ascii(value))
    items = list(value.items()) if isinstance(value, dict) else [("", item) for item in value]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    inner = f"{indent}    "

    def written(name: str, item: JsonValue, width: int) -> str:
        key = f"{expression(name)}: " if isinstance(value, dict) else ""
        return f"{key}{expression(item, inner, width - len(key) - 1)}"

    line = opening + ", ".join(written(*item, 10**9) for item in items) + closing
    if len(indent) + len(line) <= width or not items:
        return line
    lines = "".join(f"{inner}{written(*item, width or 88)},\n" for item in items)
    return f"{opening}\n{lines}{indent}{closing}"


def docstring(text: str, indent: str) -> str:
    """Return a docstring statement; only lines after the first are indented.

    Lines are kept, trailing blanks removed. If all later lines are indented, the text begins below
    the quotes, because readers of docstrings would strip that indent.
    """
    lines = _lines(text)
    later = [line for line in lines[1:] if line]
    if later and all(line[0] == " " for line in later):
        lines.insert(0, "")
    body = "\n".join([lines[0], *[f"{indent}{line}" if line else "" for line in lines[1:]]])
    if body.startswith('"'):
        body = f" {body}"
    if len(lines) > 1:
        return f'"""{body}\n{indent}"""'
    if _ENDS_IN_QUOTE.search(body):
        body = f"{body} "
    return f'"""{body}"""'


def _lines(text: str) -> list[str]:
    """Return the lines of a text, escaped for triple quotes."""
    is_plain = text.isascii() and not text.encode().translate(None, _PLAIN_LINES)
    if not is_plain:
        text = text.replace("\r\n", "\n").replace("\r", "\n").expandtabs(4)
    text = text.strip(" \n").replace("\\", "\\\\")
    lines = [line.rstrip(" ") for line in text.split("\n")] if " \n" in text else text.split("\n")
    if is_plain and '"""' not in text:
        return lines
    return [
        _QUOTE_RUN.sub(lambda match: '\\"' * len(match.group()), _escaped(line)) for line in lines
    ]


def _escaped(text: str) -> str:
    return text if _is_plain(text) else _UNSAFE.sub(_escape, text)


def _is_plain(text: str) -> bool:
    """Whether a text is printable ASCII, at a tenth of the cost of `isprintable`."""
    return text.isascii() and not text.encode().translate(None, _PLAIN)


def _escape(match: re.Match[str]) -> str:
    char = match.group()
    if char.isprintable() and not _HIDDEN.match(char):
        return char
    if char in _SHORT:
        return _SHORT[char]
    code = ord(char)
    if code <= _LATIN:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= _BASIC_PLANE else f"\\U{code:08x}"
