"""A tool that changes something does not say what happens when a call is made twice."""

from toolspec.rules.api import Diagnostics, Idempotency, Severity, ToolVisit, declare

KIND = declare(
    __name__,
    Severity.NOTE,
    "`{tool}` does not say what a second call does",
    "say `annotations: {{idempotentHint: …}}`, or take a key with `idempotency`",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic where neither the hint nor a key is stated."""
    tool = visit.tool
    is_stated = "idempotentHint" in tool.annotations.stated
    if tool.mutation and not is_stated and tool.idempotency is Idempotency.NONE:
        yield KIND.at(visit.at("mutation"), tool=tool.name)
