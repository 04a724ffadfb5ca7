"""Filters of `[[render]]`: a value as text of a format, with its special characters escaped.

Without a filter a value is written as it is, because the format of the file is not known.
"""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from toolspec.shared.canonical import canonical_json
from toolspec.sinks import markdown
from toolspec.sinks.json_text import json_text
from toolspec.targets.templates import Code

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from toolspec.syntax.nodes import JsonValue

_SURROGATE = re.compile("[\ud800-\udfff]")
_METHOD = (
    'this is a method: call it, or write a member of its name in brackets, as `schema["items"]`'
)
_QUOTED_IN_CSV = frozenset(',;"\t\r\n')


def as_written(value: object) -> Code:
    """Return a scalar as text.

    Raises TypeError for a list or an object, and ValueError for a text that UTF-8 cannot have.
    """
    match value:
        case None:
            return Code("")
        case bool():
            return Code("true" if value else "false")
        case str():
            if not value.isprintable() and _SURROGATE.search(value):
                message = "a text with half of a surrogate pair cannot be written"
                raise ValueError(message)
            return Code(value)
        case int() | float():
            return Code(str(value))
        case _ if callable(value):
            raise TypeError(_METHOD)
        case _:
            kind = "a list" if isinstance(value, (list, tuple)) else "an object"
            message = f"{kind} needs a filter, such as `json`, or a loop"
            raise TypeError(message)


def _md(value: object) -> Code:
    """Return text for Markdown, on one line."""
    return Code(markdown.cell(as_written(value)))


def _md_text(value: object) -> Code:
    """Return paragraphs for Markdown."""
    return Code(markdown.text(as_written(value)))


def _md_code(value: object) -> Code:
    """Return inline code for Markdown."""
    return Code(markdown.code(as_written(value)))


def _html(value: object) -> Code:
    """Return text for HTML and XML, also inside a quoted attribute."""
    return Code(html.escape(markdown.visible(as_written(value))))


def _json(value: JsonValue, *, pretty: bool = False) -> Code:
    """Return a value as JSON in ASCII, on one line or indented; it can be a script in HTML."""
    if callable(value):
        raise TypeError(_METHOD)
    text = json_text(value).rstrip("\n") if pretty else canonical_json(value)
    return Code(text.replace("<", "\\u003c"))


def _csv(values: object) -> Code:
    """Return a value, or the values of a list, as fields of a CSV row without its line end."""
    items: Iterable[object] = values if isinstance(values, (list, tuple)) else (values,)
    return Code(",".join(map(_csv_field, items)))


def _csv_field(value: object) -> str:
    text = as_written(value)
    if _QUOTED_IN_CSV.isdisjoint(text) and text == text.strip():
        return text
    doubled = text.replace('"', '""')
    return f'"{doubled}"'


FILTERS: Mapping[str, Callable[..., Code]] = {
    "md": _md,
    "md_text": _md_text,
    "md_code": _md_code,
    "html": _html,
    "json": _json,
    "csv": _csv,
}
