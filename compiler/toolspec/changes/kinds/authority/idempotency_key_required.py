"""A tool requires an idempotency key."""

from toolspec.changes.api import declare
from toolspec.changes.arguments import of_idempotency_key

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
refined = of_idempotency_key
