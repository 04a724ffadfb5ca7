"""An error became retryable, or is no longer."""

from toolspec.changes.api import Found, JsonValue, declare, shown
from toolspec.changes.errors import errors

KIND = declare(
    __name__,
    "`retryable` of the error `{name}` of `{tool}` is {after} now, and was {before}",
    "declare an error with a code of its own",
    mirror="retryable-changed",
    callers="break",
    handlers="risk",
    models="note",
    reviewers="risk",
)
FACT = "errors"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the errors of both sides for which it differs."""
    before, after = errors(old), errors(new)
    for code in sorted(before.keys() & after.keys()):
        one, other = before[code].get("retryable"), after[code].get("retryable")
        if one != other:
            yield {"name": code, "before": shown(one), "after": shown(other)}
