"""The name of a tool contains a version."""

import re

from toolspec.rules.api import Diagnostics, Severity, ToolVisit, declare, name_span, words_of

KIND = declare(
    __name__,
    Severity.NOTE,
    "`{name}` contains a version",
    "set `version` of the tool, and keep this name as an alias",
)
VISITS = ToolVisit
_VERSION = re.compile(r"v\d+")


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for a name that ends with a version."""
    if _VERSION.fullmatch(words_of(visit.tool.name)[-1]):
        yield KIND.at(name_span(visit.tool), name=visit.tool.name)
