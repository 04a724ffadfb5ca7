"""A tool is deprecated."""

from toolspec.changes.api import Found, JsonValue, declare

KIND = declare(
    __name__,
    "`{tool}` is deprecated now",
    mirror="deprecation-removed",
    callers="note",
    models="note",
)
FACT = "deprecated"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the change, if it is this one."""
    if old is None:
        yield {}
    del new
