"""The chunks of a stream make up the result in another way."""

from toolspec.changes.api import Found, JsonValue, declare, shown

KIND = declare(
    __name__,
    "the chunks of `{tool}` are combined by {after} now, and were by {before}",
    "give the tool with other chunks a name of its own",
    mirror="reduction-changed",
    callers="break",
    handlers="break",
)
FACT = "reduction"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the difference of two streams."""
    if old is not None and new is not None:
        yield {"before": shown(old), "after": shown(new)}
