"""Language of pages: how the words of the compiler and texts of a spec are written in it."""

from __future__ import annotations

from json import JSONEncoder
from typing import TYPE_CHECKING

from toolspec.shared.records import dataclass
from toolspec.sinks import markdown
from toolspec.targets.docs.paths import anchor
from toolspec.targets.versions import exact_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolspec.ir import Tool
    from toolspec.syntax.nodes import JsonValue

_encode = JSONEncoder(ensure_ascii=False).encode


@dataclass(frozen=True, slots=True)
class Markup:
    """Markdown or HTML: functions that escape the texts of a spec, and the addresses of links.

    `text` returns a text on one line, `code` inline code, `link` a link with a text in the language.
    `tool_address` returns the address of a tool, `types_page` is the page of all types, empty for
    the page itself, and `types_anchor` returns the fragment of a type.
    """

    text: Callable[[str], str]
    code: Callable[[str], str]
    link: Callable[[str, str], str]
    tool_address: Callable[[Tool], str]
    types_page: str = ""

    def json(self, value: JsonValue) -> str:
        """Return a JSON value as inline code."""
        # Most values are bounds, for which an encoder costs more than the rest of a sentence.
        return self.code(str(value) if type(value) is int else _encode(value))

    def tool(self, tool: Tool) -> str:
        """Return a link to a tool."""
        return self.link(self.code(exact_name(tool)), self.tool_address(tool))


def _link(shown: str, address: str) -> str:
    return f"[{shown}]({address})"


MARKDOWN = Markup(markdown.cell, markdown.code, _link, lambda tool: f"#{anchor(tool)}")
