"""A tool returns its result in pages."""

from toolspec.changes.api import Change, JsonObject, declare
from toolspec.changes.arguments import argument_of
from toolspec.shared.paging_names import POSITIONS, paging_role

KIND = declare(
    __name__,
    "`{name}` is new in {at} of `{tool}`, so that the result may be one page of several",
    "state the default that returns everything",
    callers="risk",
    handlers="risk",
    models="risk",
    is_guess=True,
)
REFINES = ("argument/property-added",)
KEEPS_LEVELS = True


def refined(change: Change, old: JsonObject, new: JsonObject) -> JsonObject | None:
    """Return no further values if the first argument for a position is added."""
    del new
    name = argument_of(change)
    schema = old.get("input")
    members = schema.get("properties") if isinstance(schema, dict) else None
    had = isinstance(members, dict) and any(paging_role(each) in POSITIONS for each in members)
    return {} if paging_role(name) in POSITIONS and not had else None
