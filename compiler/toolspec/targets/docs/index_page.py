"""The index over all services, ready for its template."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolspec.sinks.markdown import cell
from toolspec.targets.docs.paths import link, page_name
from toolspec.targets.docs.safety_lists import SafetyList, safety_lists
from toolspec.targets.versions import exact_name

if TYPE_CHECKING:
    from toolspec.ir import Program, Service, Tool


@dataclass(frozen=True, slots=True)
class ServiceRow:
    """A service in the table of services."""

    link: str
    version: str
    tools: str
    about: str


@dataclass(frozen=True, slots=True)
class IndexPage:
    """Everything on `README.md`."""

    services: tuple[ServiceRow, ...]
    count: str
    safety: tuple[SafetyList, ...]


def index_page(program: Program) -> IndexPage:
    """Return the index of a build."""
    pages = {exact_name(tool): page_name(service.name) for service, tool in program.tools}

    def linked(tool: Tool) -> str:
        return link(tool, pages[exact_name(tool)])

    return IndexPage(
        services=tuple(map(_service_row, program.services)),
        count=_counted(len(pages), "tool") + " of " + _counted(len(program.services), "service"),
        safety=safety_lists((tool for _, tool in program.tools), linked),
    )


def _service_row(service: Service) -> ServiceRow:
    return ServiceRow(
        link=f"[{cell(service.title)}]({page_name(service.name)})",
        version=cell(service.version),
        tools=str(len(service.tools)),
        about=cell(service.description),
    )


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
