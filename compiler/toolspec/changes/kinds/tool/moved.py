"""A tool belongs to another service and keeps its public name."""

from toolspec.changes.api import Found, JsonValue, declare, shown

KIND = declare(
    __name__,
    "`{tool}` moved from service {before} to {after}",
    "configure the other service before the deployment",
    mirror="moved",
    callers="risk",
    handlers="break",
    reviewers="break",
    operators="risk",
)
FACT = "service"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the move; a list of tools has no service."""
    if old and new:
        yield {"before": shown(old), "after": shown(new)}
