"""A tool that wrote only reads."""

from toolspec.changes.api import Found, JsonValue, declare

KIND = declare(
    __name__,
    "`{tool}` claims to read only",
    "prove that the handler writes nothing",
    mirror="write-added",
    callers="note",
    handlers="break",
    reviewers="break",
)
FACT = "hints.readOnly"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the change, if it is this one."""
    if old is False and new is True:
        yield {}
