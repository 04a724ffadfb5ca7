"""A tool that only read writes."""

from toolspec.changes.api import Found, JsonValue, declare

KIND = declare(
    __name__,
    "`{tool}` writes now",
    "give the writing tool a name of its own",
    mirror="write-removed",
    callers="break",
    handlers="break",
    models="risk",
    reviewers="break",
)
FACT = "hints.readOnly"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the change, if it is this one."""
    if old is True and new is False:
        yield {}
