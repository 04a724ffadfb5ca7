"""Summary of a service, for reports of a build."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.shared.records import dataclass
from toolspec.targets.safety import safety_word
from toolspec.targets.sizes import sizes
from toolspec.targets.versions import exact_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from toolspec.ir import Service, Tool
    from toolspec.providers.lowered_tools import LoweredTools


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
    """A service in a summary; `sizes` are those of a request with all its tools."""

    name: str
    module: str
    class_stem: str
    title: str
    version: str
    tools: tuple[ToolSummary, ...]
    sizes: Mapping[str, int]


def summarize(service: Service, lowered_tools: LoweredTools) -> ServiceSummary:
    """Return the summary of a service whose names are assigned."""
    names = service.names
    service_sizes = sizes(service, lowered_tools)
    tools = tuple(_line(tool, service_sizes.each[exact_name(tool)]) for tool in service.tools)
    head = (service.name, names.module, names.class_stem, service.title, service.version)
    return ServiceSummary(*head, tools, service_sizes.together)


def _line(tool: Tool, sizes: Mapping[str, int]) -> ToolSummary:
    marks = tuple(_marks(tool))
    return ToolSummary(exact_name(tool), tool.names.method, safety_word(tool), marks, sizes)


def _marks(tool: Tool) -> Iterator[str]:
    if tool.streaming:
        yield "streams"
    if tool.annotations.idempotent and not tool.annotations.read_only:
        yield "idempotent"
    if tool.deprecated:
        yield "deprecated"
