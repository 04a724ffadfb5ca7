"""A text sends its reader to a tool that is not there."""

import re

from toolspec.rules.api import Diagnostics, Severity, ToolVisit, declare

KIND = declare(
    __name__,
    Severity.WARNING,
    "the text speaks of `{mentioned}`, and there is no such tool",
    "{suggestion}",
)
VISITS = ToolVisit
_NAME = re.compile(r"`([A-Za-z][\w-]*)`")


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for each name in backticks that begins like the service's and is none of them."""
    prefix = visit.service.names.prefix
    if not prefix:  # any word could be a name
        return
    for mentioned in dict.fromkeys(_NAME.findall(visit.tool.description)):
        if not mentioned.startswith(prefix) or len(mentioned) == len(prefix):
            continue
        if mentioned not in visit.names:
            hint = visit.names.full.did_you_mean(mentioned)
            yield KIND.at(visit.at("description"), mentioned=mentioned, suggestion=hint)
