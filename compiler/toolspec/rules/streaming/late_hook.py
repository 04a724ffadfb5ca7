"""A hook after the call cannot change what a stream has sent."""

from toolspec.rules.api import Diagnostics, Severity, ToolVisit, declare

KIND = declare(
    __name__,
    Severity.WARNING,
    "`{hook}` runs when `{tool}` has sent its chunks already",
    "do its work in middleware or in the handler, chunk by chunk",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for the first `after` hook of a streaming tool."""
    hooks = visit.tool.hooks.after
    if visit.tool.streaming and hooks:
        yield KIND.at(visit.at("after"), hook=hooks[0], tool=visit.tool.name)
