"""A tool that lists or searches has no limit."""

import re

from toolspec.rules.api import (
    Diagnostics,
    Severity,
    Tool,
    ToolVisit,
    declare,
    members,
    name_span,
    paging_roles,
    survey,
)

KIND = declare(
    __name__,
    Severity.NOTE,
    "nothing limits the number of results of `{tool}`",
    "add a `limit` with a `maximum` and a `cursor`, or `maxItems` to the result",
)
VISITS = ToolVisit
_LISTING = re.compile(r"(?:.*[_.-])?(?:list|search|query)(?:[_.-]|[A-Z])")
_COUNTS = frozenset({"first", "last", "count", "top", "size", "n", "k"})
_LIMITING = re.compile(r"limit|page|max|cursor|count|depth", re.IGNORECASE)


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for a tool that lists without a limit, by its name and its result."""
    tool = visit.tool
    if tool.mutation or not _LISTING.match(tool.name) or _takes_limit(tool):
        return
    output = survey(tool.output.bundle)
    lists = [node for number in output.uses.get("items", ()) for _, node in [output.nodes[number]]]
    if any(isinstance(node, dict) and "maxItems" not in node for node in lists):
        yield KIND.at(name_span(tool), tool=tool.name)


def _takes_limit(tool: Tool) -> bool:
    names = members(tool.arguments)
    return bool(paging_roles(tool)) or any(
        name in _COUNTS or _LIMITING.search(name) for name in names
    )
