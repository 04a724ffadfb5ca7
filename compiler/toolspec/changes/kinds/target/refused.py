"""A target can no longer take a tool."""

from toolspec.changes.api import Found, JsonValue, declare
from toolspec.changes.lowered import listed, pairs

KIND = declare(
    __name__,
    "`{tool}` can no longer be sent to {targets}",
    "remove what the target refuses, which `toolspec check` names",
    mirror="accepted",
    callers="break",
    models="risk",
)
FACT = "lowered"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the targets in one change."""
    targets = [
        pair.target for pair in pairs(old, new) if pair.forms[0] != pair.forms[1] == "refused"
    ]
    if targets:
        yield {"targets": listed(targets)}
