"""A tool has a new error."""

from toolspec.changes.api import Found, JsonObject, JsonValue, declare

KIND = declare(
    __name__,
    "`{tool}` has the new error `{name}`",
    mirror="code-removed",
    callers="break",
    models="note",
)
FACT = "errors"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the change, if it is this one."""
    known = {str(item["code"]) for item in _errors(old)}
    for item in _errors(new):
        if item["code"] not in known:
            yield {"name": item["code"]}


def _errors(value: JsonValue) -> list[JsonObject]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
