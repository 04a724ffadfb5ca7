"""A tool no longer requires an idempotency key."""

from toolspec.changes.api import declare
from toolspec.changes.arguments import of_idempotency_key

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
refined = of_idempotency_key
