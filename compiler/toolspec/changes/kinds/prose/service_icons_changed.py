"""The icons of a service changed."""

from toolspec.changes.api import Found, JsonValue, declare

KIND = declare(
    __name__,
    "the icons of `{service}` changed",
    mirror="service-icons-changed",
    reviewers="note",
)
FACT = "icons"
SERVICE = True


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the difference."""
    del old, new
    yield {}
