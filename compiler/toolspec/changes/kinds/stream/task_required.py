"""A call has to run as a task."""

from toolspec.changes.api import Found, JsonValue, declare

KIND = declare(
    __name__,
    "a call of `{tool}` has to run as a task now",
    "use `taskSupport: optional`",
    mirror="task-optional",
    callers="break",
    handlers="risk",
)
FACT = "taskSupport"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the difference."""
    if old != "required" and new == "required":
        yield {}
