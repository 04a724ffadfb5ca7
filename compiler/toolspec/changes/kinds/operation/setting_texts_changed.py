"""Only texts about the settings of a service changed."""

from toolspec.changes.api import Change, JsonObject, are_equal, declare
from toolspec.changes.texts import without_annotations

KIND = declare(
    __name__,
    "texts about the settings of `{service}` changed",
    mirror="setting-texts-changed",
    operators="note",
)
REFINES = ("operation/settings-changed",)


def refined(change: Change, old: JsonObject, new: JsonObject) -> JsonObject | None:
    """Return no values if the settings are equal without annotations."""
    del change
    before, after = old.get("settings"), new.get("settings")
    is_same = are_equal(without_annotations(before), without_annotations(after))
    return {} if is_same else None
