"""A tool no longer requests a permission."""

from toolspec.changes.api import Found, JsonValue, declare, shown

KIND = declare(
    __name__,
    "`{tool}` no longer has the permission {name}",
    mirror="permission-added",
    handlers="break",
    reviewers="risk",
)
FACT = "permissions"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the change, if it is this one."""
    assert isinstance(old, list)
    assert isinstance(new, list)
    for item in old:
        if item not in new:
            yield {"name": shown(item)}
