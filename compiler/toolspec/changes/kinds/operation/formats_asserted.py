"""Formats of a tool are checked."""

from toolspec.changes.api import Found, JsonValue, declare

KIND = declare(
    __name__,
    "the formats of `{tool}` are checked now",
    "parse leniently in the handler",
    mirror="formats-annotated",
    callers="break",
    handlers="break",
)
FACT = "formats"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the difference."""
    if old == "annotate" and new == "assert":
        yield {}
