"""A tool lists or searches, and nothing limits how much comes back.

It takes no limit, page or cursor, and its result may have any length. What fits today floods a model's context when there
are a thousand. What is always short can say so with `maxItems`.

Reported:

    tools:
      - name: listIssues
        inputSchema: {type: object, properties: {state: {type: string}}}
        outputSchema: {type: array, items: {type: string}}

Accepted:

    tools:
      - name: listIssues
        inputSchema: {type: object, properties: {maxResults: {type: integer}}}
        outputSchema: {type: array, items: {type: string}}
      - name: listDays
        outputSchema: {type: array, items: {type: string}, maxItems: 7}
      - name: getIssue
        outputSchema: {type: object}
      - name: searchAndReplace
        mutation: true
      - name: get_access_list
        outputSchema: {type: array, items: {type: string}}
      - name: findIssue
        outputSchema: {type: object, properties: {title: {type: string}}}
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.frontend.places import name_span
from toolspec.rules.members import members
from toolspec.rules.paging import CURSORS, OFFSETS, PAGES, SIZES
from toolspec.rules.rule import declare
from toolspec.rules.visits import ToolVisit
from toolspec.schema.walk import survey

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.syntax.nodes import JsonObject

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "nothing limits how much `{tool}` gives back",
    "take a `limit` with a `maximum` and a `cursor`, or state `maxItems` for the result",
)
VISITS = ToolVisit
_LISTING = re.compile(r"(?:.*[_.-])?(?:list|search|query)(?:[_.-]|[A-Z])")
_PAGING = SIZES | PAGES | OFFSETS | CURSORS | {"first", "last", "count", "top", "size", "n", "k"}
_LIMITING = re.compile(r"limit|page|max|cursor|count|depth", re.IGNORECASE)


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a finding for a tool that is named for listing and has a list without a limit."""
    tool = visit.tool
    if tool.mutation or not _LISTING.match(tool.name) or _takes_limit(tool.arguments):
        return
    seen = survey(tool.output.bundle)
    lists = [node for number in seen.uses.get("items", ()) for _, node in [seen.nodes[number]]]
    if any(isinstance(node, dict) and "maxItems" not in node for node in lists):
        yield KIND.at(name_span(tool), tool=tool.name)


def _takes_limit(arguments: JsonObject) -> bool:
    return any(name in _PAGING or _LIMITING.search(name) for name in members(arguments))
