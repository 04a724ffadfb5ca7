"""A tool claims to reach nothing outside."""

from toolspec.changes.api import Found, JsonValue, declare

KIND = declare(
    __name__,
    "`{tool}` claims to reach nothing outside",
    "prove that the handler reaches nothing outside",
    mirror="open-world-added",
    reviewers="risk",
)
FACT = "hints"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the change, if it is this one."""
    assert isinstance(old, dict)
    assert isinstance(new, dict)
    if old["openWorld"] and not new["openWorld"]:
        yield {}
