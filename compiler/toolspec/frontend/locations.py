"""Locations of names in documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolspec.ir import Service, Tool
    from toolspec.source import Span
    from toolspec.syntax.nodes import Location


def name_location(part: Service | Tool) -> Location | None:
    """Return the location of a name: the member `name`, or in a map the part with its key."""
    if part.location is None:
        return None
    name = part.location / "name"
    return part.location if name.value_or_none is None else name


def name_span(part: Service | Tool) -> Span | None:
    """Return the span of a service's or tool's name: its `name`, or its key in a map of tools."""
    location = name_location(part)
    return location.span if location else None


def public_name_span(tool: Tool) -> Span | None:
    """Return the span of a tool's public name: its `wireName`, or its name."""
    if tool.location is None or not tool.wire_name:
        return name_span(tool)
    return (tool.location / "wireName").value_span


def hook_span(part: Service | Tool, hook: str) -> Span | None:
    """Return the span of a hook's name in a part."""
    if part.location is None:
        return None
    hooks = part.hooks
    lists = {
        "middleware": hooks.middleware,
        "before": hooks.before,
        "after": hooks.after,
        "afterResponse": hooks.after_response,
    }
    field, names = next((item for item in lists.items() if hook in item[1]), ("", ()))
    return part.location.at(field, names.index(hook)).value_span if field else name_span(part)


def alias_span(tool: Tool, alias: str) -> Span | None:
    """Return the span of a tool's alias."""
    if tool.location is None:
        return None
    return tool.location.at("aliases", tool.aliases.index(alias)).value_span
