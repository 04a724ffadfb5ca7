"""A description mentions a tool that does not exist."""

import re

from toolspec.rules.api import Diagnostics, Severity, ToolVisit, declare

KIND = declare(
    __name__,
    Severity.WARNING,
    "the description mentions `{mentioned}`, which does not exist",
    "{suggestion}",
)
VISITS = ToolVisit
_NAME = re.compile(r"`([A-Za-z][\w-]*)`")


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for each name in backticks with the service's prefix that no tool has."""
    prefix = visit.service.names.prefix
    if not prefix:  # any word could be a name
        return
    for mentioned in dict.fromkeys(_NAME.findall(visit.tool.description)):
        if not mentioned.startswith(prefix) or len(mentioned) == len(prefix):
            continue
        if mentioned not in visit.names:
            hint = visit.names.full.did_you_mean(mentioned)
            yield KIND.at(visit.at("description"), mentioned=mentioned, suggestion=hint)
