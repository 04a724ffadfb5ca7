"""Formats of a tool are only documented."""

from toolspec.changes.api import Found, JsonValue, declare

KIND = declare(
    __name__,
    "the formats of `{tool}` are no longer checked",
    "keep `formats: assert`",
    mirror="formats-asserted",
    callers="risk",
    handlers="break",
    reviewers="risk",
)
FACT = "formats"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the difference."""
    if old == "assert" and new == "annotate":
        yield {}
