"""The size of a page of the result changed."""

from toolspec.changes.api import Change, JsonObject, declare
from toolspec.changes.arguments import argument_of
from toolspec.shared.paging_names import PagingRole, paging_role

KIND = declare(
    __name__,
    "the default or the bound of {at} of `{tool}`, the size of a page, changed",
    "keep the default",
    callers="risk",
    handlers="risk",
    models="risk",
    is_guess=True,
)
REFINES = (
    "argument/bound-relaxed",
    "argument/default-added",
    "argument/default-changed",
    "argument/default-removed",
)
KEEPS_LEVELS = True


def refined(change: Change, old: JsonObject, new: JsonObject) -> JsonObject | None:
    """Return no further values if the argument is the size of a page."""
    del old, new
    return {} if paging_role(argument_of(change)) is PagingRole.SIZE else None
