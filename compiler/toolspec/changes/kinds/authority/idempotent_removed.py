"""A second call of a writing tool changes something."""

from toolspec.changes.api import Found, JsonValue, declare

KIND = declare(
    __name__,
    "a second call of `{tool}` changes something",
    "take an idempotency key",
    mirror="idempotent-added",
    callers="break",
    reviewers="risk",
)
FACT = "hints"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the change, if it is this one."""
    assert isinstance(old, dict)
    assert isinstance(new, dict)
    if old["idempotent"] and not new["idempotent"] and not (old["readOnly"] or new["readOnly"]):
        yield {}
