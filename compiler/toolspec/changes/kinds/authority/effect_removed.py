"""A tool no longer has an effect outside."""

from toolspec.changes.api import Found, JsonValue, declare, shown

KIND = declare(
    __name__,
    "`{tool}` no longer has the effect {name}",
    mirror="effect-added",
    reviewers="risk",
)
FACT = "effects"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the change, if it is this one."""
    assert isinstance(old, list)
    assert isinstance(new, list)
    for item in old:
        if item not in new:
            yield {"name": shown(item)}
