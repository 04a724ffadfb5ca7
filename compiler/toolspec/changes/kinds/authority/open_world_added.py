"""A tool reaches systems outside."""

from toolspec.changes.api import Found, JsonValue, declare

KIND = declare(
    __name__,
    "`{tool}` reaches systems outside now",
    mirror="open-world-removed",
    callers="risk",
    reviewers="break",
)
FACT = "hints"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the change, if it is this one."""
    assert isinstance(old, dict)
    assert isinstance(new, dict)
    if new["openWorld"] and not old["openWorld"]:
        yield {}
