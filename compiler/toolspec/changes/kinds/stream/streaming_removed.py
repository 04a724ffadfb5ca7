"""A tool no longer streams its result."""

from toolspec.changes.api import Found, JsonValue, declare

KIND = declare(
    __name__,
    "`{tool}` no longer streams its result",
    "keep streaming",
    mirror="streaming-added",
    callers="break",
    handlers="break",
)
FACT = "streaming"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the change, if it is this one."""
    if old and not new:
        yield {}
