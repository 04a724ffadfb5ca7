"""A target takes a tool that it could not take."""

from toolspec.changes.api import Found, JsonValue, declare
from toolspec.changes.lowered import listed, pairs

KIND = declare(
    __name__,
    "`{tool}` can be sent to {targets} now",
    mirror="refused",
    callers="note",
    models="note",
)
FACT = "lowered"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the targets in one change."""
    targets = [
        pair.target for pair in pairs(old, new) if pair.forms[1] != pair.forms[0] == "refused"
    ]
    if targets:
        yield {"targets": listed(targets)}
