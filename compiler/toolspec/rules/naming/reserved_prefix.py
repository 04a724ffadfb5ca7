"""The name of a tool begins with a prefix that clients add."""

import re

from toolspec.rules.api import Diagnostics, Severity, ToolVisit, declare, name_span

KIND = declare(
    __name__,
    Severity.WARNING,
    "`{name}` begins with `{prefix}`, a prefix that clients add",
    "leave the prefix out, and keep the old name as an alias",
)
VISITS = ToolVisit
_PREFIX = re.compile(r"(?:mcp|functions?|tools?)[_-]", re.IGNORECASE)


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for a prefix of a client."""
    if match := _PREFIX.match(visit.tool.name):
        yield KIND.at(name_span(visit.tool), name=visit.tool.name, prefix=match[0])
