"""Locations of names in documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolspec.ir import Service, Tool
    from toolspec.source import Span
    from toolspec.syntax.nodes import Place


def name_place(part: Service | Tool) -> Place | None:
    """Return the location of a name: the member `name`, or in a map the part with its key."""
    if part.place is None:
        return None
    named = part.place / "name"
    return part.place if named.value_or_none is None else named


def name_span(part: Service | Tool) -> Span | None:
    """Return the span of a service's or tool's name: its `name`, or its key in a map of tools."""
    place = name_place(part)
    return place.span if place else None


def public_name_span(tool: Tool) -> Span | None:
    """Return the span of a tool's public name: its `wireName`, or its name."""
    if tool.place is None or not tool.wire_name:
        return name_span(tool)
    return (tool.place / "wireName").value_span


def hook_span(part: Service | Tool, hook: str) -> Span | None:
    """Return the span of a hook's name in a part."""
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
    """Return the span of a tool's alias."""
    if tool.place is None:
        return None
    return tool.place.at("aliases", tool.aliases.index(alias)).value_span
