"""A tool no longer takes an idempotency key."""

from toolspec.changes.api import declare
from toolspec.changes.arguments import of_idempotency_key

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
refined = of_idempotency_key
