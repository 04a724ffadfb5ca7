"""The index over all services, ready for its template."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolspec.sinks.markdown import cell
from toolspec.targets.docs.paths import link, page_name
from toolspec.targets.docs.safety_lists import SafetyList, joined_lists, safety_lists
from toolspec.targets.notes import members

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolspec.ir import Service
    from toolspec.syntax.nodes import JsonObject


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


def note(service: Service) -> JsonObject:
    """Return what the index says of one service, every text ready for the page."""
    page = page_name(service.name)
    lists = safety_lists(service.tools, lambda tool: link(tool, page))
    return {
        "tools": len(service.tools),
        "row": {
            "link": f"[{cell(service.title)}]({page})",
            "version": cell(service.version),
            "tools": str(len(service.tools)),
            "about": cell(service.description),
        },
        "safety": {
            each.title: [*each.items, *([each.names] if each.names else [])] for each in lists
        },
    }


def index_page(notes: Sequence[JsonObject]) -> IndexPage:
    """Return the index of a build from the notes on its services."""
    tools = sum(int(str(each["tools"])) for each in notes)
    rows = (members(each, "row") for each in notes)
    return IndexPage(
        services=tuple(ServiceRow(**{key: str(row[key]) for key in row}) for row in rows),
        count=_counted(tools, "tool") + " of " + _counted(len(notes), "service"),
        safety=joined_lists([members(each, "safety") for each in notes]),
    )


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
