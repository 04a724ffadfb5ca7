"""A writing tool claims that a second call changes nothing."""

from toolspec.changes.api import Found, JsonValue, declare

KIND = declare(
    __name__,
    "`{tool}` claims that a second call changes nothing",
    "prove that the handler is idempotent",
    mirror="idempotent-removed",
    callers="note",
    handlers="break",
    reviewers="risk",
)
FACT = "hints"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the change, if it is this one."""
    assert isinstance(old, dict)
    assert isinstance(new, dict)
    if new["idempotent"] and not old["idempotent"] and not (old["readOnly"] or new["readOnly"]):
        yield {}
