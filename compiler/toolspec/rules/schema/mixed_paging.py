"""The tools of one service take pages in different ways.

One asks for a `page`, another for an `offset`, or the size is `limit` here and `per_page` there. A model that has called one
gets the next one wrong. Spelling counts as well: `pageSize` is not `page_size`.

Reported:

    tools:
      - name: listIssues
        inputSchema: {type: object, properties: {page: {type: integer}}}
      - name: listUsers
        inputSchema: {type: object, properties: {offset: {type: integer}}}
    ---
    tools:
      - name: listIssues
        inputSchema: {type: object, properties: {per_page: {type: integer}}}
      - name: listUsers
        inputSchema: {type: object, properties: {limit: {type: integer}}}

Accepted:

    tools:
      - name: listIssues
        inputSchema: {type: object, properties: {page: {type: integer}, limit: {type: integer}}}
      - name: listUsers
        inputSchema: {type: object, properties: {page: {type: integer}, limit: {type: integer}}}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.ir import Service
from toolspec.rules.grouping import at_tools
from toolspec.rules.members import members
from toolspec.rules.paging import CURSORS, OFFSETS, PAGES, SIZES
from toolspec.rules.rule import declare

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.ir import Tool

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "{what} in `{service}` in {count} ways: {ways}",
    "settle on one for the whole service, and keep each old name as long as it is in use",
)
VISITS = Service
_CONCERNS = (("pages are asked for", PAGES | OFFSETS | CURSORS), ("their size is called", SIZES))


def check(service: Service) -> Iterator[Diagnostic]:
    """Yield a finding at the first tool that does not do as the most do, for pages and for sizes."""
    for what, known in _CONCERNS:
        tools: dict[tuple[str, ...], list[Tool]] = {}
        for tool in service.tools:
            names = known & members(tool.arguments).keys()
            if names:
                tools.setdefault(tuple(sorted(names)), []).append(tool)
        if len(tools) > 1:
            yield _finding(service, what, tools)


def _finding(service: Service, what: str, tools: dict[tuple[str, ...], list[Tool]]) -> Diagnostic:
    ways = sorted(tools, key=lambda way: -len(tools[way]))
    return at_tools(
        service,
        KIND,
        [tool for way in ways[1:] for tool in tools[way]],
        more="nor this",
        what=what,
        service=service.name,
        count=len(ways),
        ways=", ".join(f"`{' + '.join(way)}` ({len(tools[way])})" for way in ways),
    )
