"""The results of a tool are verified."""

from toolspec.changes.api import Found, JsonValue, declare

KIND = declare(
    __name__,
    "the results of `{tool}` are verified now",
    mirror="verify-removed",
    handlers="break",
    callers="note",
)
FACT = "verify"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the change, if it is this one."""
    if new and not old:
        yield {}
