"""A tool has an error less."""

from toolspec.changes.api import Found, JsonValue, declare
from toolspec.changes.errors import errors, renamed_errors

KIND = declare(
    __name__,
    "`{tool}` no longer has the error `{name}`",
    mirror="code-added",
    callers="note",
    handlers="break",
)
FACT = "errors"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the codes of one side, without those of renamed errors."""
    known = {*errors(new), *renamed_errors(old, new)}
    for code in errors(old):
        if code not in known:
            yield {"name": code}
