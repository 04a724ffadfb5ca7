"""Summary of a service, for reports of a build."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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


def summary_to_json(summary: ServiceSummary) -> object:
    """Return a summary as arrays for JSON."""
    names = (summary.name, summary.module, summary.class_stem, summary.title, summary.version)
    tools = [(t.name, t.method, t.safety, t.marks, dict(t.sizes)) for t in summary.tools]
    return (*names, tools, dict(summary.sizes))


# Whatever `json.loads` returns: a value of another form raises one of its errors.
def summary_from_json(stored: Any) -> ServiceSummary:
    """Return the summary that `summary_to_json` encoded. Raises ValueError or TypeError for others."""
    name, module, class_stem, title, version, tools, sizes = stored
    lines = (ToolSummary(a, b, c, tuple(marks), sizes) for a, b, c, marks, sizes in tools)
    return ServiceSummary(name, module, class_stem, title, version, tuple(lines), sizes)


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
