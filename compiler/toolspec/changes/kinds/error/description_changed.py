"""The description of an error changed."""

from toolspec.changes.api import Found, JsonObject, JsonValue, declare, shown

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
    before, after = _errors(old), _errors(new)
    for code in before.keys() & after.keys():
        one, other = before[code].get("description"), after[code].get("description")
        if one != other:
            yield {"name": code, "before": shown(one), "after": shown(other)}


def _errors(value: JsonValue) -> dict[str, JsonObject]:
    """Return the errors by code."""
    errors = value if isinstance(value, list) else []
    return {str(error.get("code")): error for error in errors if isinstance(error, dict)}
