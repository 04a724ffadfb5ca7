"""A parameter is named `id`, without saying of what."""

from toolspec.rules.api import Diagnostics, Severity, ToolVisit, declare, members

KIND = declare(
    __name__,
    Severity.NOTE,
    "`{tool}` takes an `id`, without saying of what",
    "rename it, for instance to `issueId`, or describe it",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for a parameter `id` without a description."""
    own = members(visit.tool.input.value).get("id")
    if isinstance(own, dict) and not own.get("description") and "$ref" not in own:
        location = visit.tool.input.location
        yield KIND.at(
            location.at("properties", "id").key_span if location else None, tool=visit.tool.name
        )
