"""The icon name of a tool changed."""

from toolspec.changes.api import Found, JsonValue, declare, shown

KIND = declare(
    __name__,
    "the icon of `{tool}` is {after} now, and was {before}",
    mirror="icon-changed",
    reviewers="note",
)
FACT = "icon"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the difference."""
    yield {"before": shown(old), "after": shown(new)}
