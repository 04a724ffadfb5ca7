"""A call no longer has to run as a task."""

from toolspec.changes.api import Found, JsonValue, declare

KIND = declare(
    __name__,
    "a call of `{tool}` no longer has to run as a task",
    mirror="task-required",
    callers="note",
    handlers="risk",
)
FACT = "taskSupport"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the difference."""
    if old == "required" and new == "optional":
        yield {}
