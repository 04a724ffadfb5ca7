"""A tool's name carries a version number."""

import re

from toolspec.rules.api import Diagnostics, Severity, ToolVisit, declare, name_span, words_of

KIND = declare(
    __name__,
    Severity.NOTE,
    "`{name}` carries a version number",
    "give the tool a `version`, and keep this name as an alias",
)
VISITS = ToolVisit
_VERSION = re.compile(r"v\d+")


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for a name that ends with a version."""
    if _VERSION.fullmatch(words_of(visit.tool.name)[-1]):
        yield KIND.at(name_span(visit.tool), name=visit.tool.name)
