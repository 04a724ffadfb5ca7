"""Calls of a tool can no longer be reverted."""

from toolspec.changes.api import Found, JsonValue, declare

KIND = declare(
    __name__,
    "calls of `{tool}` can no longer be reverted",
    "keep `revert: true`",
    mirror="revert-added",
    callers="break",
    reviewers="break",
)
FACT = "revert"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the change, if it is this one."""
    if old and not new:
        yield {}
