"""A tool takes a mark from which to go on, and its result does not give one.

The schema of the result describes members, and none of them is a cursor, a token or a link to what follows. A model can
read the first page only, or makes a mark up.

Reported:

    tools:
      - name: list
        inputSchema: {type: object, properties: {cursor: {type: string}}}
        outputSchema: {type: object, properties: {items: {type: array, items: {type: string}}}}
    ---
    tools:
      - name: list
        inputSchema: {type: object, properties: {page_token: {type: string}}}
        outputSchema: {type: array, items: {type: string}}

Accepted:

    tools:
      - name: list
        inputSchema: {type: object, properties: {cursor: {type: string}}}
        outputSchema: {type: object, properties: {items: {type: array}, nextCursor: {type: string}}}
    ---
    tools:
      - name: list
        inputSchema: {type: object, properties: {cursor: {type: string}}}
        outputSchema: {type: object, properties: {at: {type: object, properties: {has_more: {}}}}}
    ---
    tools:
      - name: list
        inputSchema: {type: object, properties: {cursor: {type: string}}}
        outputSchema: {type: object}
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.members import members
from toolspec.rules.paging import CURSORS
from toolspec.rules.rule import declare
from toolspec.rules.visits import ToolVisit
from toolspec.schema.walk import survey

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.syntax.nodes import JsonValue

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "`{name}` asks for a mark that no result of `{tool}` gives",
    "describe in `outputSchema` where the next mark is found",
)
VISITS = ToolVisit
_GIVING = re.compile(r"cursor|token|next|after|marker|more|link|page", re.IGNORECASE)


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a finding for a cursor among the arguments of a tool whose result has members, but none."""
    names = CURSORS & members(visit.tool.arguments).keys()
    if not names or not _gives_none(visit.tool.output.bundle):
        return
    at = visit.at("inputSchema", "properties", min(names))
    yield KIND.at(at, name=min(names), tool=visit.tool.name)


def _gives_none(schema: JsonValue) -> bool:
    """Whether a result is described, and no name in it speaks of what follows."""
    nodes = (node for _, node in survey(schema).nodes if isinstance(node, dict))
    declared = [node["properties"] for node in nodes if "properties" in node]
    names = [name for each in declared if isinstance(each, dict) for name in each]
    is_list = isinstance(schema, dict) and schema.get("type") == "array"
    return (bool(names) or is_list) and not any(map(_GIVING.search, names))
