"""A tool answers under a name that another tool had."""

from toolspec.changes.api import Change, JsonObject, declare

KIND = declare(
    __name__,
    "`{tool}` has the alias `{name}`, under which callers reached `{owner}`",
    "give the alias up, or keep the other tool under its name",
    callers="break",
    models="risk",
    reviewers="break",
)
REFINES = ("tool/alias-added",)


def refined(change: Change, old: JsonObject, new: JsonObject) -> JsonObject | None:
    """Return no further values if another tool had the name."""
    del old, new
    return {} if change.values["owner"] else None
