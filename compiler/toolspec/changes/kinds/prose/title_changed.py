"""The title of a tool changed."""

from toolspec.changes.api import Found, JsonValue, declare, shown

KIND = declare(
    __name__,
    "the title of `{tool}` changed from {before} to {after}",
    mirror="title-changed",
    models="note",
    reviewers="note",
)
FACT = "title"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the change, if it is this one."""
    yield {"before": shown(old), "after": shown(new)}
