"""The description of a tool is no longer too long for a target."""

from toolspec.changes.api import Found, JsonValue, declare
from toolspec.changes.lowered import listed, pairs

KIND = declare(
    __name__,
    "the description of `{tool}` is no longer too long for {targets}",
    mirror="description-too-long",
    models="note",
)
FACT = "lowered"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the targets in one change."""
    targets = [
        pair.target for pair in pairs(old, new) if pair.descriptions == ("too long", "whole")
    ]
    if targets:
        yield {"targets": listed(targets)}
