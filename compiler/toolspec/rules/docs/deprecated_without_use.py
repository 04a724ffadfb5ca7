"""A deprecated tool does not say what to use instead."""

from toolspec.rules.api import Diagnostics, Severity, ToolVisit, declare

KIND = declare(
    __name__,
    Severity.WARNING,
    "`{tool}` is deprecated and names nothing to use instead",
    "name it in `deprecated.use`",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for a deprecation without `use`."""
    deprecated = visit.tool.deprecated
    if deprecated and not deprecated.use:
        yield KIND.at(visit.at("deprecated"), tool=visit.tool.name)
