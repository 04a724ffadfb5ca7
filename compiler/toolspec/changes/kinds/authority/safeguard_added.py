"""A writing tool has an argument for a confirmation or a trial run."""

from toolspec.changes.api import Change, JsonObject, declare
from toolspec.changes.arguments import of_safeguard

KIND = declare(
    __name__,
    "`{tool}` writes, and has `{name}` now",
    mirror="safeguard-removed",
    callers="note",
    handlers="risk",
    models="note",
    reviewers="note",
)
REFINES = ("argument/property-added",)
KEEPS_LEVELS = True


def refined(change: Change, old: JsonObject, new: JsonObject) -> JsonObject | None:
    """Return no further values if the argument keeps calls of a writing tool from acting."""
    del old
    return of_safeguard(change, new)
