"""A deprecated tool is removed earlier."""

from toolspec.changes.api import Found, JsonValue, declare, shown
from toolspec.changes.versions import is_lower

KIND = declare(
    __name__,
    "`{tool}` is removed earlier than announced: {after}, and was {before}",
    "keep the announced removal",
    mirror="removal-later",
    callers="break",
    reviewers="note",
    operators="note",
)
FACT = "deprecated.remove"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the difference; a deprecation without a date or version is the latest removal."""
    if not isinstance(old, str) or not isinstance(new, str):
        return
    if not old or (new and is_lower(new, old)):
        yield {"before": shown(old or "never"), "after": shown(new or "never")}
