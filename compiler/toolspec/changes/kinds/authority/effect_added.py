"""A tool has a new effect outside."""

from toolspec.changes.api import Found, JsonValue, declare, shown

KIND = declare(
    __name__,
    "`{tool}` has the new effect {name}",
    mirror="effect-removed",
    callers="risk",
    reviewers="break",
)
FACT = "effects"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the change, if it is this one."""
    assert isinstance(old, list)
    assert isinstance(new, list)
    for item in new:
        if item not in old:
            yield {"name": shown(item)}
