"""The version of a service changed."""

from toolspec.changes.api import Found, JsonValue, declare, shown

KIND = declare(
    __name__,
    "the version of `{service}` is {after} now, and was {before}",
    mirror="version-backwards",
    callers="note",
)
FACT = "version"
SERVICE = True


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the change, if it is this one."""
    yield {"before": shown(old), "after": shown(new)}
