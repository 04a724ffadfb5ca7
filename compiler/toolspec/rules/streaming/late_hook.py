"""A streaming tool has an `after` hook."""

from toolspec.rules.api import Diagnostics, Severity, ToolVisit, declare

KIND = declare(
    __name__,
    Severity.WARNING,
    "`{hook}` runs after `{tool}` has sent its chunks",
    "change each chunk in middleware or in the handler",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for the first `after` hook of a streaming tool."""
    hooks = visit.tool.hooks.after
    if visit.tool.streaming and hooks:
        yield KIND.at(visit.at("after"), hook=hooks[0], tool=visit.tool.name)
