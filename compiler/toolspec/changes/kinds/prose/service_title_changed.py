"""The title of a service changed."""

from toolspec.changes.api import Found, JsonValue, declare, shown

KIND = declare(
    __name__,
    "the title of `{service}` changed from {before} to {after}",
    mirror="service-title-changed",
    reviewers="note",
)
FACT = "title"
SERVICE = True


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the difference."""
    yield {"before": shown(old), "after": shown(new)}
