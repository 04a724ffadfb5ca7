"""Templates of the site target: HTML with every value escaped, and filters for other forms.

Without a filter, a value is text on one line, also inside of a quoted attribute.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from toolspec.sinks import html
from toolspec.targets.docs.markup import Markup
from toolspec.targets.site.paths import TYPES, fragment, tool_page
from toolspec.targets.templates import Code, Templates, by_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from toolspec.source import SourceFile
    from toolspec.syntax.nodes import JsonValue
    from toolspec.targets.docs.view import Snippet

FOLDER = Path(__file__).parent / "templates"

MARKUP = Markup(html.prose, html.code, html.link, tool_page, TYPES)
"""HTML of pages in the folder of a service."""

_BADGES = frozenset({"read-only", "writes", "destructive", "open world", "deprecated"})


@lru_cache(maxsize=4)
def templates(replaced: tuple[SourceFile, ...] = ()) -> Templates:
    """Return the built-in templates, some of them replaced by the user's."""
    from toolspec.targets.site.compiled_templates import FUNCTIONS

    return Templates(FOLDER, escape, by_name(replaced), filters=FILTERS, compiled=FUNCTIONS)


def escape(value: object) -> Code:
    """Return a value as text on one line; raises TypeError for one that is neither text nor number."""
    if isinstance(value, Code):
        return value
    if isinstance(value, str):
        return Code(html.text(value))
    if isinstance(value, int) and not isinstance(value, bool):
        return Code(str(value))
    message = f"expected text or a number, not {type(value).__name__}"
    raise TypeError(message)


def _text(value: object) -> Code:
    """Return text in paragraphs; lists keep their lines."""
    return Code(html.paragraphs(str(value)))


def _whole(value: object) -> Code:
    """Return text in a quoted attribute, with all of its blanks."""
    return Code(html.escaped(str(value)))


def _code(value: object) -> Code:
    """Return text as inline code."""
    return Code(html.code(str(value)))


def _prose(value: object) -> Code:
    """Return text on one line, with backticks as inline code."""
    return Code(html.prose(str(value)))


def _json(value: JsonValue) -> Code:
    """Return any value as JSON in inline code."""
    return Code(MARKUP.json(value))


def _json_block(value: JsonValue) -> Code:
    """Return any value as a block of JSON."""
    return Code(html.json_block(value))


def _program(snippet: Snippet) -> Code:
    """Return a program that calls a tool as a block."""
    return Code(html.program(snippet.text, snippet.language))


def _join(values: Iterable[object], separator: str = "") -> Code:
    """Return the values with a separator."""
    return Code(html.escaped(separator).join(map(escape, values)))


def _fragment(value: object) -> Code:
    """Return text as part of a fragment."""
    return Code(fragment(str(value)))


def _badge(flag: object) -> Code:
    """Return a flag of a tool as a badge, in the colour of its safety class."""
    words = str(flag)
    kind = f" {words.replace(' ', '-')}" if words in _BADGES else ""
    return Code(f'<span class="badge{kind}">{html.text(words)}</span>')


FILTERS: Mapping[str, Callable[..., Code]] = {
    "text": _text,
    "whole": _whole,
    "code": _code,
    "prose": _prose,
    "json": _json,
    "json_block": _json_block,
    "program": _program,
    "join": _join,
    "fragment": _fragment,
    "badge": _badge,
}
