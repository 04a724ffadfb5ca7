"""A project no longer has a target."""

from toolspec.changes.api import Found, JsonValue, declare

KIND = declare(
    __name__,
    "the tools of `{service}` are no longer written for `{name}`",
    "keep the target in the configuration",
    mirror="added",
    callers="risk",
    operators="risk",
)
FACT = "targets"
SERVICE = True


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the targets of one side."""
    assert isinstance(old, list)
    assert isinstance(new, list)
    for name in old:
        if name not in new:
            yield {"name": name}
