"""A tool takes an idempotency key."""

from toolspec.changes.api import Change, JsonObject, declare

KIND = declare(
    __name__,
    "`{tool}` takes an idempotency key now",
    mirror="idempotency-key-removed",
    callers="note",
    handlers="risk",
    models="note",
    reviewers="note",
    operators="risk",
)
REFINES = ("argument/property-added",)
NEEDS = ("idempotency",)


def refined(change: Change, old: JsonObject, new: JsonObject) -> JsonObject | None:
    """Return no further values if the argument is the key."""
    is_key = change.values.get("name") == "idempotency_key"
    return {} if is_key and old.get("idempotency") != new.get("idempotency") else None
