"""A call may run as a task."""

from toolspec.changes.api import Found, JsonValue, declare

KIND = declare(
    __name__,
    "a call of `{tool}` may run as a task now",
    mirror="task-removed",
    callers="note",
    handlers="risk",
)
FACT = "taskSupport"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the difference."""
    if old == "forbidden" and new == "optional":
        yield {}
