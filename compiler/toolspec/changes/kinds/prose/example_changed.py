"""The example calls of a tool changed."""

from toolspec.changes.api import Found, JsonValue, declare

KIND = declare(
    __name__,
    "the examples of `{tool}` changed",
    mirror="example-changed",
    models="note",
)
FACT = "examples"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the difference."""
    del old, new
    yield {}
