"""Calls of a tool can be reverted."""

from toolspec.changes.api import Found, JsonValue, declare

KIND = declare(
    __name__,
    "calls of `{tool}` can be reverted now",
    mirror="revert-removed",
    handlers="break",
    callers="note",
)
FACT = "revert"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the change, if it is this one."""
    if new and not old:
        yield {}
