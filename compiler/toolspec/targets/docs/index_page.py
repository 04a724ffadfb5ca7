"""Index page of all services."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers.tokens import shown
from toolspec.sinks.markdown import cell
from toolspec.sinks.markdown_layout import blocks, section, table
from toolspec.targets.docs.paths import link, page_name
from toolspec.targets.docs.safety_lists import joined_lists, safety_lists
from toolspec.targets.docs.sizes import ESTIMATE
from toolspec.targets.notes import members
from toolspec.targets.sizes import sizes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolspec.ir import Service
    from toolspec.providers.lowered_tools import LoweredTools
    from toolspec.syntax.nodes import JsonObject

_COLUMNS = {
    "link": "Service",
    "version": "Version",
    "tools": "Tools",
    "tokens": "Tokens",
    "about": "Description",
}


def note(service: Service, lowered_tools: LoweredTools) -> JsonObject:
    """Return the index entries of one service, every text ready for the page."""
    page = page_name(service.name)
    lists = safety_lists(service.tools, lambda tool: link(tool, page))
    return {
        "tools": len(service.tools),
        "row": {
            "link": f"[{cell(service.title)}]({page})",
            "version": cell(service.version),
            "tools": str(len(service.tools)),
            "tokens": shown(sizes(service, lowered_tools).together),
            "about": cell(service.description),
        },
        "safety": {
            each.title: [*each.items, *([each.names] if each.names else [])] for each in lists
        },
    }


def index_page(notes: Sequence[JsonObject]) -> str:
    """Return the index of a build from the notes on its services."""
    tools = sum(int(str(each["tools"])) for each in notes)
    rows = (members(each, "row") for each in notes)
    lists = joined_lists([members(each, "safety") for each in notes])
    page = blocks(
        "# Tools",
        f"{_counted(tools, 'tool')} of {_counted(len(notes), 'service')}.",
        ESTIMATE,
        table((*_COLUMNS.values(),), ([str(row[key]) for key in _COLUMNS] for row in rows)),
        section("## Tools by safety", *(each.block for each in lists)),
    )
    return f"{page}\n"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
