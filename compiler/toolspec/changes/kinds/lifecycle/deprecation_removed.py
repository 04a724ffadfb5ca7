"""A tool is no longer deprecated."""

from toolspec.changes.api import Found, JsonValue, declare

KIND = declare(
    __name__,
    "`{tool}` is no longer deprecated",
    mirror="deprecation-added",
    callers="note",
)
FACT = "deprecated"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the change, if it is this one."""
    if new is None:
        yield {}
    del old
