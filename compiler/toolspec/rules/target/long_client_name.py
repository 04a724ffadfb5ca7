"""A tool's name becomes too long once clients put the server's name in front.

They show tools of all servers in one list, as `mcp__github__github_listIssues` or so, and drop or cut
what is longer than they take: 64 characters in most, 60 in some.

Reported:

    targets: [mcp-2026-07-28]
    services:
      "{20}":
        tools: [{name: "{25}"}]

Accepted:

    targets: [mcp-2026-07-28]
    services:
      github:
        tools: [{name: listIssues}]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.frontend.naming.collisions import LONGEST
from toolspec.rules.catalogue import Catalogue
from toolspec.rules.rule import declare, number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.syntax.nodes import JsonObject

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "`{tool}` has {length} characters with the prefix of a client, more than {limit}",
    "shorten it, and keep the old name as an alias",
)
VISITS = Catalogue
OPTIONS: dict[str, JsonObject] = {
    "limit": {"type": "integer", "minimum": 1, "default": 64, "description": "Characters."},
}


def check(catalogue: Catalogue, options: JsonObject) -> Iterator[Diagnostic]:
    """Yield a finding for each tool that is too long with its service's name as that of the server."""
    limit = number(options, "limit")
    if not any(target.startswith("mcp-") for target in catalogue.targets):
        return
    for tool in catalogue.tools:
        if len(tool.full_name) > LONGEST:  # an error of its own
            continue
        length = len(f"mcp__{tool.service}__{tool.full_name}")
        if length > limit:
            yield KIND.at(
                catalogue.span(tool),
                subject=catalogue.subject(tool),
                tool=tool.full_name,
                length=length,
                limit=limit,
            )
