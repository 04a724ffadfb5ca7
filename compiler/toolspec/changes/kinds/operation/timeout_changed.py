"""A tool has other limits of time."""

from toolspec.changes.api import Found, JsonValue, declare, shown

KIND = declare(
    __name__,
    "the limits of time of `{tool}` are {after} now, and were {before}",
    mirror="timeout-changed",
    callers="risk",
    operators="risk",
)
FACT = "timeout"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the change, if it is this one."""
    yield {"before": shown(old), "after": shown(new)}
