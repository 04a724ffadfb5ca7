"""A writing tool no longer has an argument for a confirmation or a trial run."""

from toolspec.changes.api import Change, JsonObject, declare
from toolspec.changes.arguments import of_safeguard

KIND = declare(
    __name__,
    "`{tool}` writes, and no longer has `{name}`",
    "keep `{name}`",
    mirror="safeguard-added",
    callers="break",
    handlers="break",
    models="risk",
    reviewers="break",
)
REFINES = ("argument/property-removed", "argument/property-ignored")
KEEPS_LEVELS = True


def refined(change: Change, old: JsonObject, new: JsonObject) -> JsonObject | None:
    """Return no further values if the argument kept calls of a writing tool from acting."""
    del new
    return of_safeguard(change, old)
