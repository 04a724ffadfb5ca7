"""A project has a new target."""

from toolspec.changes.api import Found, JsonValue, declare

KIND = declare(
    __name__,
    "the tools of `{service}` are written for `{name}` too",
    mirror="dropped",
    callers="note",
)
FACT = "targets"
SERVICE = True


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the targets of one side."""
    assert isinstance(old, list)
    assert isinstance(new, list)
    for name in new:
        if name not in old:
            yield {"name": name}
