"""The description of an error changed."""

from toolspec.changes.api import Found, JsonValue, declare, shown
from toolspec.changes.errors import errors

KIND = declare(
    __name__,
    "the description of the error `{name}` of `{tool}` changed from {before} to {after}",
    mirror="description-changed",
    callers="note",
    models="note",
)
FACT = "errors"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the errors of both sides for which it differs."""
    before, after = errors(old), errors(new)
    for code in sorted(before.keys() & after.keys()):
        one, other = before[code].get("description"), after[code].get("description")
        if one != other:
            yield {"name": code, "before": shown(one), "after": shown(other)}
