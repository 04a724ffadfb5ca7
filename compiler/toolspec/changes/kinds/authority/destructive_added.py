"""A writing tool can destroy."""

from toolspec.changes.api import Found, JsonValue, declare

KIND = declare(
    __name__,
    "`{tool}` can destroy now",
    mirror="destructive-removed",
    callers="risk",
    reviewers="break",
)
FACT = "hints"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the change, if it is this one."""
    assert isinstance(old, dict)
    assert isinstance(new, dict)
    if new["destructive"] and not old["destructive"] and not (old["readOnly"] or new["readOnly"]):
        yield {}
