"""The extensions of a service changed."""

from toolspec.changes.api import Found, JsonValue, declare

KIND = declare(
    __name__,
    "the extensions of `{service}` changed",
    mirror="service-extensions-changed",
    callers="note",
    reviewers="note",
)
FACT = "extensions"
SERVICE = True


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the difference."""
    del old, new
    yield {}
