"""Choice of the services and tools that pages show, by `x-internal` and the options of a target."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.shared.records import replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolspec.ir import Service, Tool
    from toolspec.syntax.nodes import JsonObject

INTERNAL = "x-internal"


def published(service: Service, options: JsonObject) -> Service | None:
    """Return a service without the tools that are not published; None for none of it."""
    include, exclude = _Choice(options.get("include")), _Choice(options.get("exclude"))
    is_hidden = service.extensions.get(INTERNAL) is True or service.name in exclude.services
    if is_hidden or (include.services and service.name not in include.services):
        return None
    tools = [
        tool
        for tool in service.tools
        if tool.extensions.get(INTERNAL) is not True
        and not exclude.has(tool)
        and (include.has(tool) or not (include.tags or include.scopes))
    ]
    if len(tools) == len(service.tools):
        return service
    return _without_others(service, tools) if tools else None


def hidden(service: Service, shown: Service | None) -> list[str]:
    """Return the names that pages must not have: of tools, or of the whole service."""
    if shown is None:
        return [service.name, *(tool.names.full for tool in service.tools)]
    names = {tool.names.full for tool in shown.tools}
    return [tool.names.full for tool in service.tools if tool.names.full not in names]


def _without_others(service: Service, tools: Sequence[Tool]) -> Service:
    """Return a service of these tools, which name no other tool as their successor."""
    left_out = {tool.names.full for tool in service.tools} - {tool.names.full for tool in tools}
    return replace(service, tools=tuple(_unlinked(tool, left_out) for tool in tools))


def _unlinked(tool: Tool, left_out: set[str]) -> Tool:
    if tool.deprecated is None or tool.deprecated.use.partition("@")[0] not in left_out:
        return tool
    return replace(tool, deprecated=replace(tool.deprecated, use=""))


class _Choice:
    """Names of services, tags and scopes."""

    def __init__(self, value: object) -> None:
        table = value if isinstance(value, dict) else {}
        self.services = frozenset(table.get("services", ()))
        self.tags = frozenset(table.get("tags", ()))
        self.scopes = frozenset(table.get("scopes", ()))

    def has(self, tool: Tool) -> bool:
        """Return whether a tool has one of the tags or scopes."""
        scopes: Iterable[str] = (scope for rule in tool.scopes for scope in rule.any_of)
        return not self.tags.isdisjoint(tool.tags) or not self.scopes.isdisjoint(scopes)
