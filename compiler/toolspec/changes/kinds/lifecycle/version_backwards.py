"""The version of a service is lower than before."""

from toolspec.changes.api import Change, JsonObject, declare
from toolspec.changes.versions import is_lower

KIND = declare(
    __name__,
    "the version of `{service}` went back from {before} to {after}",
    "choose a version above {before}",
    mirror="version-changed",
    callers="break",
    operators="risk",
)
REFINES = ("lifecycle/version-changed",)


def refined(change: Change, old: JsonObject, new: JsonObject) -> JsonObject | None:
    """Return no further values if the version is lower."""
    del change
    return {} if is_lower(str(new.get("version")), str(old.get("version"))) else None
