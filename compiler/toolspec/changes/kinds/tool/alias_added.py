"""A tool has a new alias."""

from toolspec.changes.api import Found, JsonValue, declare

KIND = declare(
    __name__,
    "`{tool}` has the new alias `{name}`",
    mirror="alias-removed",
    callers="note",
    reviewers="risk",
)
FACT = "aliases"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the change, if it is this one."""
    before, after = _names(old), _names(new)
    for name in after:
        if name not in before:
            yield {"name": name}


def _names(value: JsonValue) -> list[str]:
    return [str(item) for item in value] if isinstance(value, list) else []
