"""Templates of the docs target: Markdown with every value escaped, and filters for other forms.

Without a filter, a value is text on one line. A filter makes of it paragraphs (`text`), inline
code (`code`), a message whose backticks are inline code (`prose`), the title of a page (`page_title`), inline JSON
(`json`), a block of JSON (`json_block`), a list of values in one line (`join`), or a fenced program (`program`).
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from toolspec.sinks.markdown import cell, code, fenced, fenced_json, prose, text
from toolspec.targets.docs.markup import MARKDOWN
from toolspec.targets.docs.view import Markdown
from toolspec.targets.templates import Templates, by_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from toolspec.source import SourceFile
    from toolspec.syntax.nodes import JsonValue
    from toolspec.targets.docs.view import Snippet

_TITLE = str.maketrans({"<": "‹", '"': "”"})
FOLDER = Path(__file__).parent / "templates"


@lru_cache(maxsize=4)
def templates(replaced: tuple[SourceFile, ...] = ()) -> Templates:
    """Return the built-in templates, some of them replaced by the user's."""
    from toolspec.targets.docs.compiled_templates import FUNCTIONS

    return Templates(FOLDER, escape, by_name(replaced), filters=FILTERS, compiled=FUNCTIONS)


def escape(value: object) -> Markdown:
    """Return a value as text on one line; raises TypeError for one that is neither text nor number."""
    if isinstance(value, Markdown):
        return value
    if isinstance(value, str):
        return Markdown(cell(value))
    if isinstance(value, int) and not isinstance(value, bool):
        return Markdown(str(value))
    message = f"expected text or a number, not {type(value).__name__}"
    raise TypeError(message)


def _text(value: object) -> Markdown:
    """Return text in paragraphs; lists keep their lines."""
    return Markdown(text(str(value)))


def _code(value: object) -> Markdown:
    """Return text as inline code."""
    return Markdown(code(str(value)))


def _prose(value: object) -> Markdown:
    """Return a message of the compiler, with backticks as inline code."""
    return Markdown(prose(str(value)))


def _page_title(value: object) -> Markdown:
    """Return text on one line for the first heading of a page, without `<` and `"`.

    Generators of sites make the title of a page of it. Zensical writes that into `title` unescaped, and
    the theme readthedocs of MkDocs into an attribute.
    """
    return Markdown(cell(str(value).translate(_TITLE)))


def _json(value: JsonValue) -> Markdown:
    """Return any value as JSON in inline code."""
    return Markdown(MARKDOWN.json(value))


def _json_block(value: JsonValue) -> Markdown:
    """Return any value as a fenced block of JSON."""
    return Markdown(fenced_json(value))


def _program(snippet: Snippet) -> Markdown:
    """Return a program that calls a tool as a fenced block."""
    return Markdown(fenced(snippet.text, snippet.language))


def _join(values: Iterable[object], separator: str = "") -> Markdown:
    """Return the values with a separator, whose blanks at both ends are kept."""
    words = separator.strip(" ")
    joint = separator.replace(words, cell(words)) if words else separator
    return Markdown(joint.join(map(escape, values)))


FILTERS: Mapping[str, Callable[..., Markdown]] = {
    "text": _text,
    "code": _code,
    "prose": _prose,
    "page_title": _page_title,
    "json": _json,
    "json_block": _json_block,
    "join": _join,
    "program": _program,
}
