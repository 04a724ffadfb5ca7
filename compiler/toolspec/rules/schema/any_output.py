"""A tool does not say what it returns."""

from toolspec.rules.api import Diagnostics, Severity, ToolVisit, declare

KIND = declare(
    __name__,
    Severity.NOTE,
    "`{name}` may return anything",
    "describe the result in `outputSchema`, as far as it is known",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for a schema that lets every value through."""
    if visit.tool.output.value in (True, {}):
        yield KIND.at(visit.at("outputSchema"), name=visit.tool.name)
