"""A tool has an error less."""

from toolspec.changes.api import Found, JsonObject, JsonValue, declare

KIND = declare(
    __name__,
    "`{tool}` no longer has the error `{name}`",
    mirror="code-added",
    callers="note",
    handlers="break",
)
FACT = "errors"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the change, if it is this one."""
    known = {str(item["code"]) for item in _errors(new)}
    for item in _errors(old):
        if item["code"] not in known:
            yield {"name": item["code"]}


def _errors(value: JsonValue) -> list[JsonObject]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
