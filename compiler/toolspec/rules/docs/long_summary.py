"""The summary of a tool is too long for a list."""

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
    "the summary of `{tool}` has {length} characters, too many for a list",
    "keep the first clause, and move the rest to the description",
)
VISITS = ToolVisit
OPTIONS = limit_option(120, "Characters.")


def check(visit: ToolVisit, options: JsonObject) -> Diagnostics:
    """Yield a diagnostic above the limit, for a summary that is stated."""
    location = visit.location("summary")
    length = len(visit.tool.summary)
    if location and location.value_or_none is not None and length > int_option(options, "limit"):
        yield KIND.at(location.span, tool=visit.tool.name, length=length)
