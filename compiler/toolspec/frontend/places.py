"""Where the parts of a program are named in their documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolspec.ir import Service, Tool
    from toolspec.source import Span


def name_span(part: Service | Tool) -> Span | None:
    """Return where a service's or tool's name stands: its `name`, or its key in a map of tools."""
    if part.place is None:
        return None
    named = part.place / "name"
    return part.place.key_span if named.value_or_none is None else named.value_span


def hook_span(part: Service | Tool, hook: str) -> Span | None:
    """Return where a part asks for a hook."""
    if part.place is None:
        return None
    hooks = part.hooks
    lists = {
        "middleware": hooks.middleware,
        "before": hooks.before,
        "after": hooks.after,
        "afterResponse": hooks.after_response,
    }
    field, names = next((each for each in lists.items() if hook in each[1]), ("", ()))
    return part.place.at(field, names.index(hook)).value_span if field else name_span(part)


def alias_span(tool: Tool, alias: str) -> Span | None:
    """Return where a tool's alias stands."""
    if tool.place is None:
        return None
    return tool.place.at("aliases", tool.aliases.index(alias)).value_span
