"""A tool's name begins like those that clients make.

Clients put their own marks in front of a tool's name: `mcp__notes__search`, `functions.search`. A name
that has them already is taken apart in the wrong place, or shown twice over.

Reported:

    tools:
      - name: mcp_search
    ---
    tools:
      - name: functions-search

Accepted:

    tools:
      - name: functionsOfModule
      - name: listMcpServers
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.frontend.places import name_span
from toolspec.rules.rule import declare
from toolspec.rules.visits import ToolVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "`{name}` begins with `{prefix}`, which clients put in front of names",
    "leave the prefix out, and keep the old name as an alias",
)
VISITS = ToolVisit
_PREFIX = re.compile(r"(?:mcp|functions?|tools?)[_-]", re.IGNORECASE)


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a finding for a prefix of a client."""
    if found := _PREFIX.match(visit.tool.name):
        yield KIND.at(name_span(visit.tool), name=visit.tool.name, prefix=found[0])
