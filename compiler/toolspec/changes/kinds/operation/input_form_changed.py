"""The handler of a tool gets its input in another form."""

from toolspec.changes.api import Found, JsonValue, declare, shown

KIND = declare(
    __name__,
    "the handler of `{tool}` gets its input as {after} now, and got it as {before}",
    mirror="input-form-changed",
    handlers="break",
)
FACT = "inputForm"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the difference."""
    yield {"before": shown(old), "after": shown(new)}
