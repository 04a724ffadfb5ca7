"""A tool no longer has a strict form for a target."""

from toolspec.changes.api import Found, JsonValue, declare
from toolspec.changes.lowered import listed, pairs

KIND = declare(
    __name__,
    "the schema of `{tool}` is no longer enforced for {targets}",
    "change what rules the strict form out, which `toolspec check` names",
    mirror="strict-gained",
    callers="risk",
    handlers="risk",
    models="risk",
    reviewers="risk",
)
FACT = "lowered"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the targets in one change."""
    targets = [pair.target for pair in pairs(old, new) if pair.forms == ("strict", "loose")]
    if targets:
        yield {"targets": listed(targets)}
