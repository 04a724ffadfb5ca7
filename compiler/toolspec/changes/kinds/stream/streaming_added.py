"""A tool streams its result."""

from toolspec.changes.api import Found, JsonValue, declare

KIND = declare(
    __name__,
    "`{tool}` streams its result now",
    "give the streaming tool a name of its own",
    mirror="streaming-removed",
    callers="break",
    handlers="break",
)
FACT = "streaming"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the change, if it is this one."""
    if new and not old:
        yield {}
