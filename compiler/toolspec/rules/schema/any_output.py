"""A tool does not describe its result."""

from toolspec.rules.api import Diagnostics, Severity, ToolVisit, declare

KIND = declare(
    __name__,
    Severity.NOTE,
    "`{name}` may return anything",
    "describe the known members of the result in `outputSchema`",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for a schema that accepts every value."""
    if visit.tool.output.value in (True, {}):
        yield KIND.at(visit.at("outputSchema"), name=visit.tool.name)
