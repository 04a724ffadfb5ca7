"""The description of a tool is too short."""

from toolspec.rules.api import (
    Diagnostics,
    JsonObject,
    Severity,
    ToolVisit,
    declare,
    int_option,
    limit_option,
)

KIND = declare(
    __name__,
    Severity.NOTE,
    "the description of `{tool}` has only {length} characters",
    "say what the tool returns, and when to use it rather than another one",
)
VISITS = ToolVisit
OPTIONS = limit_option(20, "Characters.")


def check(visit: ToolVisit, options: JsonObject) -> Diagnostics:
    """Yield a diagnostic below the limit."""
    length = len(visit.tool.description.strip())
    if length < int_option(options, "limit"):
        yield KIND.at(visit.at("description"), tool=visit.tool.name, length=length)
