"""A tool belongs to another group."""

from toolspec.changes.api import Found, JsonValue, declare, shown

KIND = declare(
    __name__,
    "the group of `{tool}` is {after} now, and was {before}",
    mirror="group-changed",
    models="note",
)
FACT = "group"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the change, if it is this one."""
    yield {"before": shown(old), "after": shown(new)}
