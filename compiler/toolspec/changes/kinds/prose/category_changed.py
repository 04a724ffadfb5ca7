"""The category of a service changed."""

from toolspec.changes.api import Found, JsonValue, declare, shown

KIND = declare(
    __name__,
    "the category of `{service}` changed from {before} to {after}",
    mirror="category-changed",
    reviewers="note",
)
FACT = "category"
SERVICE = True


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the difference."""
    yield {"before": shown(old), "after": shown(new)}
