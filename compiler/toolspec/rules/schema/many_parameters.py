"""A tool has too many parameters."""

from toolspec.rules.api import Diagnostics, JsonObject, Severity, ToolVisit, declare, limit_option

KIND = declare(
    __name__,
    Severity.WARNING,
    "`{tool}` has {count} parameters, more than {limit}",
    "split the tool by use, or drop parameters that are rarely set",
)
VISITS = ToolVisit
OPTIONS = limit_option(12, "Maximum parameters of a tool.")


def check(visit: ToolVisit, options: JsonObject) -> Diagnostics:
    """Yield a diagnostic for a tool with more parameters at the top level."""
    parameters, limit = visit.tool.arguments.get("properties"), options["limit"]
    assert isinstance(limit, int)
    if isinstance(parameters, dict) and len(parameters) > limit:
        span = visit.at("inputSchema", "properties")
        yield KIND.at(span, tool=visit.tool.name, count=len(parameters), limit=limit)
