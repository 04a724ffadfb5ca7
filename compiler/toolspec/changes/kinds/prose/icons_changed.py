"""The icons of a tool changed."""

from toolspec.changes.api import Found, JsonValue, declare

KIND = declare(
    __name__,
    "the icons of `{tool}` changed",
    mirror="icons-changed",
    reviewers="note",
)
FACT = "icons"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the change, if it is this one."""
    del old, new
    yield {}
