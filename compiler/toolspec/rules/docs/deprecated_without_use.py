"""A deprecated tool names no replacement."""

from toolspec.rules.api import Diagnostics, Severity, ToolVisit, declare

KIND = declare(
    __name__,
    Severity.WARNING,
    "`{tool}` is deprecated and names no replacement",
    "name the replacement in `deprecated.use`",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for a deprecation without `use`."""
    deprecated = visit.tool.deprecated
    if deprecated and not deprecated.use:
        yield KIND.at(visit.at("deprecated"), tool=visit.tool.name)
