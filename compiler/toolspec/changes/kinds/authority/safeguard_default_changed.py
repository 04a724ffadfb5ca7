"""The default of an argument for a confirmation or a trial run changed."""

from toolspec.changes.api import Change, JsonObject, declare
from toolspec.changes.arguments import of_safeguard

KIND = declare(
    __name__,
    "`{tool}` writes, and the default of {at} changed",
    "keep the default",
    mirror="safeguard-default-changed",
    callers="break",
    handlers="break",
    reviewers="break",
)
REFINES = ("argument/default-added", "argument/default-changed", "argument/default-removed")
KEEPS_LEVELS = True


def refined(change: Change, old: JsonObject, new: JsonObject) -> JsonObject | None:
    """Return no further values if the argument keeps calls of a writing tool from acting."""
    del old
    return of_safeguard(change, new)
