"""Members of a listed tool that no other kind covers changed."""

from toolspec.changes.api import Found, JsonValue, declare

KIND = declare(
    __name__,
    "{members} of `{tool}` changed",
    mirror="members-changed",
    callers="note",
    models="note",
    reviewers="risk",
)
FACT = "rest"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the change, if it is this one."""
    assert isinstance(old, dict)
    assert isinstance(new, dict)
    names = [
        name
        for name in dict.fromkeys((*old, *new))
        if (name in old) != (name in new) or old[name] != new[name]
    ]
    yield {"members": ", ".join(f"`{name}`" for name in names)}
