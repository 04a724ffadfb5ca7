"""The results of a tool are no longer verified."""

from toolspec.changes.api import Found, JsonValue, declare

KIND = declare(
    __name__,
    "the results of `{tool}` are no longer verified",
    "keep `verify: true`",
    mirror="verify-added",
    callers="break",
    reviewers="break",
)
FACT = "verify"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the change, if it is this one."""
    if old and not new:
        yield {}
