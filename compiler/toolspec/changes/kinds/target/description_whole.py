"""A target no longer cuts the description of a tool."""

from toolspec.changes.api import Found, JsonValue, declare
from toolspec.changes.lowered import listed, pairs

KIND = declare(
    __name__,
    "{targets} no longer cut the description of `{tool}`",
    mirror="description-cut",
    models="note",
)
FACT = "lowered"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the targets in one change."""
    targets = [pair.target for pair in pairs(old, new) if pair.is_cut == (True, False)]
    if targets:
        yield {"targets": listed(targets)}
