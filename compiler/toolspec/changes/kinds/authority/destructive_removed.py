"""A writing tool claims not to destroy."""

from toolspec.changes.api import Found, JsonValue, declare

KIND = declare(
    __name__,
    "`{tool}` claims not to destroy",
    "prove that the handler destroys nothing",
    mirror="destructive-added",
    handlers="break",
    reviewers="break",
)
FACT = "hints"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the change, if it is this one."""
    assert isinstance(old, dict)
    assert isinstance(new, dict)
    if old["destructive"] and not new["destructive"] and not (old["readOnly"] or new["readOnly"]):
        yield {}
