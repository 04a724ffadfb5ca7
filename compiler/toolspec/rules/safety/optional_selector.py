"""A destructive tool can be called without saying what to destroy."""

from toolspec.rules.api import Diagnostics, Severity, ToolVisit, declare, destroys

KIND = declare(
    __name__,
    Severity.WARNING,
    "`{tool}` destroys, and every parameter may be left out",
    "require what selects, or say `minProperties: 1`",
)
VISITS = ToolVisit
_REQUIRING = ("allOf", "anyOf", "minProperties", "oneOf", "required", "$ref")


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for an input of optional parameters alone, where the tool is known to destroy."""
    tool, schema = visit.tool, visit.tool.input.value
    if not (isinstance(schema, dict) and schema.get("properties") and destroys(tool)):
        return
    if not any(schema.get(keyword) for keyword in _REQUIRING):
        yield KIND.at(visit.at("inputSchema"), tool=tool.name)
