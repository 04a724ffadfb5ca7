"""The description of a tool changed."""

from toolspec.changes.api import Found, JsonValue, declare, shown

KIND = declare(
    __name__,
    "the description of `{tool}` changed from {before} to {after}",
    mirror="description-changed",
    models="risk",
    reviewers="note",
)
FACT = "description"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the change, if it is this one."""
    yield {"before": shown(old), "after": shown(new)}
