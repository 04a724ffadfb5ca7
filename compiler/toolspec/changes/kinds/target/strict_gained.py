"""A tool has a strict form for a target."""

from toolspec.changes.api import Found, JsonValue, declare
from toolspec.changes.lowered import listed, pairs

KIND = declare(
    __name__,
    "the schema of `{tool}` is enforced for {targets} now",
    mirror="strict-lost",
    callers="note",
    models="note",
)
FACT = "lowered"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the targets in one change."""
    targets = [pair.target for pair in pairs(old, new) if pair.forms == ("loose", "strict")]
    if targets:
        yield {"targets": listed(targets)}
