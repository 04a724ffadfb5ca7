"""The description of a service changed."""

from toolspec.changes.api import Found, JsonValue, declare, shown

KIND = declare(
    __name__,
    "the description of `{service}` changed from {before} to {after}",
    mirror="service-description-changed",
    models="note",
    reviewers="note",
)
FACT = "description"
SERVICE = True


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the difference."""
    yield {"before": shown(old), "after": shown(new)}
