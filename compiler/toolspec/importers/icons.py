"""Which icon objects of MCP are legal in the language as they stand."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolspec.syntax.nodes import JsonValue

_SOURCE = re.compile(
    r"https://[A-Za-z0-9.:\[\]-]+([/?#][!-~]*)?|data:image/(png|jpeg|webp);base64,[A-Za-z0-9+/]+=*"
)
_MEDIA_TYPE = re.compile(r"[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+")
_SIZE = re.compile(r"[1-9][0-9]*x[1-9][0-9]*|any")
_MEMBERS = frozenset({"src", "mimeType", "sizes", "theme"})


def are_icons(value: JsonValue) -> bool:
    """Whether a value is a list of icons that the document schema takes as they are."""
    return isinstance(value, list) and all(_is_icon(each) for each in value)


def _is_icon(value: JsonValue) -> bool:
    if not isinstance(value, dict) or not value.keys() <= _MEMBERS:
        return False
    sizes = value.get("sizes", [])
    return (
        _matches(_SOURCE, value.get("src"))
        and _matches(_MEDIA_TYPE, value.get("mimeType", "image/png"))
        and isinstance(sizes, list)
        and all(_matches(_SIZE, each) for each in sizes)
        and len({str(each) for each in sizes}) == len(sizes)
        and value.get("theme", "light") in ("light", "dark")
    )


def _matches(pattern: re.Pattern[str], value: JsonValue) -> bool:
    return isinstance(value, str) and pattern.fullmatch(value) is not None
