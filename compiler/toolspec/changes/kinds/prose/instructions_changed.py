"""The instructions of a service changed."""

from toolspec.changes.api import Found, JsonValue, declare, shown

KIND = declare(
    __name__,
    "the instructions of `{service}` changed from {before} to {after}",
    mirror="instructions-changed",
    models="risk",
    reviewers="risk",
)
FACT = "instructions"
SERVICE = True


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the change, if it is this one."""
    yield {"before": shown(old), "after": shown(new)}
