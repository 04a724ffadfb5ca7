"""The results of a tool have another content type."""

from toolspec.changes.api import Found, JsonValue, declare, shown

KIND = declare(
    __name__,
    "the content type of `{tool}` is {after} now, and was {before}",
    mirror="content-type-changed",
    callers="break",
    handlers="break",
)
FACT = "contentType"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the change, if it is this one."""
    yield {"before": shown(old), "after": shown(new)}
