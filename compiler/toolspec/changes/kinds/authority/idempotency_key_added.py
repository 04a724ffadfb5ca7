"""A tool takes an idempotency key."""

from toolspec.changes.api import declare
from toolspec.changes.arguments import of_idempotency_key

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
refined = of_idempotency_key
