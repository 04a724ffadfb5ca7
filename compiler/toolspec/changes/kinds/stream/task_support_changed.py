"""A tool supports tasks in another way."""

from toolspec.changes.api import Found, JsonValue, declare, shown

KIND = declare(
    __name__,
    "task support of `{tool}` is {after} now, and was {before}",
    mirror="task-support-changed",
    callers="break",
    handlers="risk",
)
FACT = "taskSupport"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the change, if it is this one."""
    yield {"before": shown(old), "after": shown(new)}
