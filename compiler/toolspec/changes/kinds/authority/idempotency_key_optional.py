"""A tool no longer requires an idempotency key."""

from toolspec.changes.api import Change, JsonObject, declare

KIND = declare(
    __name__,
    "`{tool}` no longer requires an idempotency key",
    mirror="idempotency-key-required",
    callers="note",
    handlers="risk",
    models="note",
    reviewers="risk",
)
REFINES = ("argument/became-optional",)
NEEDS = ("idempotency",)


def refined(change: Change, old: JsonObject, new: JsonObject) -> JsonObject | None:
    """Return no further values if the argument is the key."""
    is_key = change.values.get("name") == "idempotency_key"
    return {} if is_key and old.get("idempotency") != new.get("idempotency") else None
