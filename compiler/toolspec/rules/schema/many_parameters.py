"""A tool has too many parameters."""

from toolspec.rules.api import Diagnostics, JsonObject, Severity, ToolVisit, declare

KIND = declare(
    __name__,
    Severity.WARNING,
    "`{tool}` has {count} parameters, more than {limit}",
    "split the tool by use, or drop parameters that are rarely set",
)
VISITS = ToolVisit
OPTIONS: dict[str, JsonObject] = {
    "limit": {
        "type": "integer",
        "minimum": 1,
        "default": 12,
        "description": "The most parameters of a tool.",
    }
}


def check(visit: ToolVisit, options: JsonObject) -> Diagnostics:
    """Yield a diagnostic for a tool with more parameters at the top level."""
    parameters, limit = visit.tool.arguments.get("properties"), options["limit"]
    assert isinstance(limit, int)
    if isinstance(parameters, dict) and len(parameters) > limit:
        span = visit.at("inputSchema", "properties")
        yield KIND.at(span, tool=visit.tool.name, count=len(parameters), limit=limit)
