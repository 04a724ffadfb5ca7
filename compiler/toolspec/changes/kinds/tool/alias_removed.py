"""A tool has an alias less."""

from toolspec.changes.api import Found, JsonValue, declare

KIND = declare(
    __name__,
    "`{tool}` no longer has the alias `{name}`",
    "keep the alias",
    mirror="alias-added",
    callers="break",
    models="note",
)
FACT = "aliases"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the change, if it is this one."""
    before, after = _names(old), _names(new)
    for name in before:
        if name not in after:
            yield {"name": name}


def _names(value: JsonValue) -> list[str]:
    return [str(item) for item in value] if isinstance(value, list) else []
