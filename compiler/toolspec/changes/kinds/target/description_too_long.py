"""The description of a tool is longer than a target takes."""

from toolspec.changes.api import Found, JsonValue, declare
from toolspec.changes.lowered import listed, pairs

KIND = declare(
    __name__,
    "the description of `{tool}` is too long for {targets}",
    "shorten the description",
    mirror="description-fits",
    models="risk",
    reviewers="note",
)
FACT = "lowered"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the targets in one change."""
    targets = [
        pair.target for pair in pairs(old, new) if pair.descriptions == ("whole", "too long")
    ]
    if targets:
        yield {"targets": listed(targets)}
