"""The stated summary of a tool changed."""

from toolspec.changes.api import Found, JsonValue, declare, shown

KIND = declare(
    __name__,
    "the summary of `{tool}` changed from {before} to {after}",
    mirror="summary-changed",
    models="note",
)
FACT = "summary"
DERIVED_FROM = ("description",)


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the difference."""
    yield {"before": shown(old), "after": shown(new)}
