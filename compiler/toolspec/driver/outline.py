"""What a summary, and the proof that names do not meet, need to know of a service."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolspec.targets.sizes import sizes
from toolspec.targets.versions import exact_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from toolspec.ir import Service, Tool
    from toolspec.providers.offers import Offers


@dataclass(frozen=True, slots=True)
class ToolLine:
    """A tool in a summary: the name that asks for it, its method, and what a caller has to fear.

    `sizes` are its tokens by target (`targets/sizes.py`).
    """

    name: str
    method: str
    safety: str
    marks: tuple[str, ...]
    sizes: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Outline:
    """A service in a summary; `sizes` are those of a request with all its tools."""

    name: str
    module: str
    class_stem: str
    title: str
    version: str
    tools: tuple[ToolLine, ...]
    sizes: Mapping[str, int]


def outline(service: Service, offers: Offers) -> Outline:
    """Return the outline of a service that has its names."""
    names = service.names
    known = sizes(service, offers)
    tools = tuple(_line(tool, known.each[exact_name(tool)]) for tool in service.tools)
    head = (service.name, names.module, names.class_stem, service.title, service.version)
    return Outline(*head, tools, known.together)


def meet(outlines: Iterable[Outline]) -> bool:
    """Whether two services have one name, in any case, one package or one class."""
    names = [(each.name.casefold(), each.module, each.class_stem) for each in outlines]
    return any(len(set(column)) < len(names) for column in zip(*names, strict=True))


def _line(tool: Tool, sizes: Mapping[str, int]) -> ToolLine:
    marks = tuple(_marks(tool))
    return ToolLine(exact_name(tool), tool.names.method, _safety(tool), marks, sizes)


def _safety(tool: Tool) -> str:
    if tool.annotations.read_only:
        return "read-only"
    return "destructive" if tool.annotations.destructive else "writes"


def _marks(tool: Tool) -> Iterator[str]:
    if tool.streaming:
        yield "streams"
    if tool.annotations.idempotent and not tool.annotations.read_only:
        yield "idempotent"
    if tool.deprecated:
        yield "deprecated"
