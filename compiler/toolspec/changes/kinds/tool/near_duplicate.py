"""A new tool resembles one that exists."""

from toolspec.changes.api import Change, JsonObject, declare

KIND = declare(
    __name__,
    "`{tool}` is new, and resembles `{similar}`",
    "say in both descriptions when to use which, or extend `{similar}`",
    callers="note",
    models="risk",
    reviewers="note",
    is_guess=True,
)
REFINES = ("tool/added",)
KEEPS_LEVELS = True


def refined(change: Change, old: JsonObject, new: JsonObject) -> JsonObject | None:
    """Return no further values if a tool resembles it."""
    del old, new
    return {} if change.values["similar"] else None
