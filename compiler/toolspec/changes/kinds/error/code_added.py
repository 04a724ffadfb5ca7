"""A tool has a new error."""

from toolspec.changes.api import Found, JsonValue, declare
from toolspec.changes.errors import errors, renamed_errors

KIND = declare(
    __name__,
    "`{tool}` has the new error `{name}`",
    mirror="code-removed",
    callers="break",
    models="note",
)
FACT = "errors"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the codes of one side, without those of renamed errors."""
    known = {*errors(old), *renamed_errors(old, new).values()}
    for code in errors(new):
        if code not in known:
            yield {"name": code}
