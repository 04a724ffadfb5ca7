"""The extensions of a tool changed."""

from toolspec.changes.api import Found, JsonValue, declare

KIND = declare(
    __name__,
    "the extensions of `{tool}` changed",
    mirror="extensions-changed",
    callers="note",
    reviewers="note",
)
FACT = "extensions"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the change, if it is this one."""
    del old, new
    yield {}
