"""An argument that selects what a destructive tool acts on is required."""

from toolspec.changes.api import Change, JsonObject, declare
from toolspec.changes.arguments import argument_of, destroys, selects

KIND = declare(
    __name__,
    "`{tool}` can destroy, and requires `{name}` now",
    mirror="selector-optional",
    callers="break",
    models="risk",
    reviewers="note",
)
REFINES = ("argument/became-required",)
KEEPS_LEVELS = True


def refined(change: Change, old: JsonObject, new: JsonObject) -> JsonObject | None:
    """Return no further values if the tool destroys what the argument selects."""
    name = argument_of(change)
    return {} if name and destroys(old) and selects(name, new) else None
