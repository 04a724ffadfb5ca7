"""An argument that selects what a destructive tool acts on is optional."""

from toolspec.changes.api import Change, JsonObject, declare
from toolspec.changes.arguments import argument_of, destroys, selects

KIND = declare(
    __name__,
    "`{tool}` can destroy, and no longer requires `{name}`",
    "require it, or add a tool of its own for everything",
    mirror="selector-required",
    callers="risk",
    handlers="break",
    reviewers="break",
    operators="risk",
)
REFINES = ("argument/became-optional",)
KEEPS_LEVELS = True


def refined(change: Change, old: JsonObject, new: JsonObject) -> JsonObject | None:
    """Return no further values if the tool destroys what the argument selects."""
    name = argument_of(change)
    return {} if name and destroys(new) and selects(name, old) else None
