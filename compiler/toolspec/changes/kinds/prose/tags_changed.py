"""The tags of a tool changed."""

from toolspec.changes.api import Found, JsonValue, declare, shown

KIND = declare(
    __name__,
    "the tags of `{tool}` are {after} now, and were {before}",
    mirror="tags-changed",
    models="note",
)
FACT = "tags"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the change, if it is this one."""
    yield {"before": shown(old), "after": shown(new)}
