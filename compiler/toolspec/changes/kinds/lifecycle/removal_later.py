"""A deprecated tool is removed later."""

from toolspec.changes.api import Found, JsonValue, declare, shown
from toolspec.changes.versions import is_lower

KIND = declare(
    __name__,
    "`{tool}` is removed later than announced: {after}, and was {before}",
    mirror="removal-earlier",
    callers="note",
)
FACT = "deprecated.remove"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the difference; a deprecation without a date or version is the latest removal."""
    if not isinstance(old, str) or not isinstance(new, str):
        return
    if not new or (old and not is_lower(new, old)):
        yield {"before": shown(old or "never"), "after": shown(new or "never")}
