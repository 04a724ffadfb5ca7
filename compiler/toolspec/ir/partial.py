"""Partial tools and services: reading a broken field raises BrokenFieldError."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from toolspec.ir.program import Service
from toolspec.ir.tool import Tool
from toolspec.shared.records import fields, replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

T = TypeVar("T")


class BrokenFieldError(Exception):
    """Raised on access to a field without a value, because the document has an error there."""


class _Partial:
    """Raises BrokenFieldError for each field in `broken`."""

    __slots__ = ()

    def __getattribute__(self, name: str) -> Any:
        if name in super().__getattribute__("broken"):
            raise BrokenFieldError(name)
        return super().__getattribute__(name)


class _PartialTool(_Partial, Tool):
    __slots__ = ()


class _PartialService(_Partial, Service):
    __slots__ = ()


def partial_tool(tool: Tool) -> Tool:
    """Return a tool whose broken fields raise BrokenFieldError."""
    return _copied(tool, _PartialTool) if tool.broken else tool


def with_partial_tools(service: Service) -> Service:
    """Return a service with partial tools."""
    if not any(tool.broken for tool in service.tools):
        return service
    return replace(service, tools=tuple(map(partial_tool, service.tools)))


def partial_service(service: Service) -> Service:
    """Return a service whose broken fields raise BrokenFieldError."""
    return _copied(service, _PartialService) if service.broken else service


def _copied(part: T, kind: type[T]) -> T:
    copied = object.__new__(kind)
    for field in fields(part):
        object.__setattr__(copied, field.name, getattr(part, field.name))
    return copied


def unless_broken(items: Iterable[T]) -> Iterator[T]:
    """Yield the items of a check until it reads a broken field."""
    try:
        yield from items
    except BrokenFieldError:
        return
