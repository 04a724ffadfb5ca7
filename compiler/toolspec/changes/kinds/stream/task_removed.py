"""A call can no longer run as a task."""

from toolspec.changes.api import Found, JsonValue, declare

KIND = declare(
    __name__,
    "a call of `{tool}` can no longer run as a task",
    "keep `taskSupport: optional`",
    mirror="task-added",
    callers="break",
    handlers="risk",
)
FACT = "taskSupport"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the difference."""
    if old != "forbidden" and new == "forbidden":
        yield {}
