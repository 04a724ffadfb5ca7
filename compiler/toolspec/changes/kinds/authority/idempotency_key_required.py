"""A tool requires an idempotency key."""

from toolspec.changes.api import Change, JsonObject, declare

KIND = declare(
    __name__,
    "`{tool}` requires an idempotency key now",
    "use `idempotency: optional`",
    mirror="idempotency-key-optional",
    callers="break",
    handlers="risk",
    models="risk",
    reviewers="note",
    operators="risk",
)
REFINES = ("argument/became-required", "argument/required-property-added")
NEEDS = ("idempotency",)


def refined(change: Change, old: JsonObject, new: JsonObject) -> JsonObject | None:
    """Return no further values if the argument is the key."""
    is_key = change.values.get("name") == "idempotency_key"
    return {} if is_key and old.get("idempotency") != new.get("idempotency") else None
