"""A mutating tool does not say whether a call can be repeated."""

from toolspec.rules.api import Diagnostics, Idempotency, Severity, ToolVisit, declare

KIND = declare(
    __name__,
    Severity.NOTE,
    "`{tool}` does not say whether a call can be repeated",
    "add `annotations: {{idempotentHint: …}}`, or take a key with `idempotency`",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic if neither the hint nor a key is declared."""
    tool = visit.tool
    is_stated = "idempotentHint" in tool.annotations.stated
    if tool.mutation and not is_stated and tool.idempotency is Idempotency.NONE:
        yield KIND.at(visit.at("mutation"), tool=tool.name)
