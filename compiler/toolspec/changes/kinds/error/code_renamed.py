"""An error has another code."""

from toolspec.changes.api import Found, JsonValue, declare
from toolspec.changes.errors import renamed_errors

KIND = declare(
    __name__,
    "the error `{name}` of `{tool}` is called `{renamed}` now",
    "keep the code",
    mirror="code-renamed",
    callers="break",
    handlers="break",
    models="note",
)
FACT = "errors"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the errors of one description under two codes."""
    for name, renamed in renamed_errors(old, new).items():
        yield {"name": name, "renamed": renamed}
