"""A tool no longer takes an idempotency key."""

from toolspec.changes.api import Change, JsonObject, declare

KIND = declare(
    __name__,
    "`{tool}` no longer takes an idempotency key",
    "keep `idempotency: optional`",
    mirror="idempotency-key-added",
    callers="break",
    handlers="break",
    models="risk",
    reviewers="break",
)
REFINES = ("argument/property-removed", "argument/property-ignored")
NEEDS = ("idempotency",)


def refined(change: Change, old: JsonObject, new: JsonObject) -> JsonObject | None:
    """Return no further values if the argument is the key."""
    is_key = change.values.get("name") == "idempotency_key"
    return {} if is_key and old.get("idempotency") != new.get("idempotency") else None
