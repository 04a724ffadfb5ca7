"""A destructive tool can be called without selecting anything."""

from toolspec.rules.api import Diagnostics, Severity, ToolVisit, declare, destroys

KIND = declare(
    __name__,
    Severity.WARNING,
    "`{tool}` is destructive, and all of its parameters are optional",
    "require the parameters that select, or add `minProperties: 1`",
)
VISITS = ToolVisit
_REQUIRING = ("allOf", "anyOf", "minProperties", "oneOf", "required", "$ref")


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for a destructive tool with optional parameters only."""
    tool, schema = visit.tool, visit.tool.input.value
    if not (isinstance(schema, dict) and schema.get("properties") and destroys(tool)):
        return
    if not any(schema.get(keyword) for keyword in _REQUIRING):
        yield KIND.at(visit.at("inputSchema"), tool=tool.name)
