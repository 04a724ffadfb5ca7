"""Summary data of a service, and the check for colliding names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolspec.shared.records import fast_init
from toolspec.targets.sizes import sizes
from toolspec.targets.versions import exact_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from toolspec.ir import Service, Tool
    from toolspec.providers.lowered_tools import LoweredTools

# Providers with a smaller alphabet get `_` for other characters (`providers/steps/name_tool.py`).
_PUNCTUATION = re.compile(r"[^a-z0-9]+")


@fast_init
@dataclass(frozen=True, slots=True)
class ToolSummary:
    """A tool in a summary: name, method, risk.

    `sizes` are its tokens by target (`targets/sizes.py`).
    """

    name: str
    method: str
    safety: str
    marks: tuple[str, ...]
    sizes: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class ServiceSummary:
    """A service in a summary; `sizes` are those of a request with all its tools.

    `public_names` are the full names and aliases of all its tools.
    """

    name: str
    module: str
    class_stem: str
    title: str
    version: str
    tools: tuple[ToolSummary, ...]
    sizes: Mapping[str, int]
    public_names: tuple[str, ...]


def summarize(service: Service, lowered_tools: LoweredTools) -> ServiceSummary:
    """Return the summary of a service whose names are assigned."""
    names = service.names
    known = sizes(service, lowered_tools)
    tools = tuple(_line(tool, known.each[exact_name(tool)]) for tool in service.tools)
    head = (service.name, names.module, names.class_stem, service.title, service.version)
    public = dict.fromkeys(
        name for tool in service.tools for name in (tool.names.full, *tool.aliases)
    )
    return ServiceSummary(*head, tools, known.together, tuple(public))


def names_collide(outlines: Iterable[ServiceSummary]) -> bool:
    """Return whether two services share a name, package, class or public name, ignoring case."""
    services = tuple(outlines)
    heads = [(each.name.casefold(), each.module, each.class_stem) for each in services]
    public = [
        {_PUNCTUATION.sub("_", name.casefold()) for name in each.public_names} for each in services
    ]
    return any(len(set(column)) < len(heads) for column in zip(*heads, strict=True)) or len(
        set().union(*public)
    ) < sum(map(len, public))


def _line(tool: Tool, sizes: Mapping[str, int]) -> ToolSummary:
    marks = tuple(_marks(tool))
    return ToolSummary(exact_name(tool), tool.names.method, _safety(tool), marks, sizes)


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
