"""Grammar of tool names, which depends on `names` of the service."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from toolspec.frontend.shape.contract import Form, schema_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolspec.syntax.nodes import JsonValue
    from toolspec.syntax.pointer import Path

PREFIXED = "prefixed"
NAME = "name"


def is_prefixed(value: JsonValue, form: Form) -> bool:
    """Return whether the tools of a file get the prefix of their service."""
    if form is not Form.SERVICE:
        return form is Form.FRAGMENT
    service = value.get("service") if isinstance(value, dict) else None
    names = service.get("names") if isinstance(service, dict) else None
    return names is None or names == PREFIXED  # another value is a separate error


def unprefixable(value: JsonValue) -> Iterator[tuple[Path, str]]:
    """Yield tool names that are only legal as written: the path of each, and its key in a map."""
    tools = value.get("tools") if isinstance(value, dict) else None
    entries: Iterable[tuple[str | int, JsonValue]] = ()
    if isinstance(tools, dict):
        entries = tools.items()
        yield from ((("tools",), key) for key in tools if _is_as_written_only(key))
    elif isinstance(tools, list):
        entries = enumerate(tools)
    for step, tool in entries:
        name = tool.get(NAME) if isinstance(tool, dict) else None
        if isinstance(name, str) and _is_as_written_only(name):
            yield ("tools", step, NAME), ""


def is_tool_name(path: Path, *, is_of_key: bool) -> bool:
    """Return whether a path is that of a tool's name, or of a map of tools with it as key."""
    match path:
        case ("tools",):
            return is_of_key
        case ("tools", _, "name"):
            return not is_of_key
        case _:
            return False


def is_public_name(text: str) -> bool:
    """Return whether a text is legal as a full name."""
    return _pattern("publicName").search(text) is not None


def _is_as_written_only(name: str) -> bool:
    return _pattern("toolName").search(name) is None and is_public_name(name)


@cache
def _pattern(definition: str) -> re.Pattern[str]:
    return re.compile(str(schema_at(("$defs", definition, "pattern"))).removesuffix("$") + r"\Z")
