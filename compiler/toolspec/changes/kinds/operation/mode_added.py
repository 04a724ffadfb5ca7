"""A service has a new mode."""

from toolspec.changes.api import Found, JsonValue, declare

KIND = declare(
    __name__,
    "`{service}` has the new mode `{name}`",
    mirror="mode-removed",
    callers="note",
    handlers="risk",
    reviewers="risk",
    operators="note",
)
FACT = "modes"
SERVICE = True


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the modes of one side."""
    before, after = _modes(old), _modes(new)
    for name in after:
        if name not in before:
            yield {"name": name}


def _modes(value: JsonValue) -> dict[str, JsonValue]:
    """Return the descriptions of modes by name."""
    modes = value if isinstance(value, list) else []
    return {
        str(mode.get("name")): mode.get("description") for mode in modes if isinstance(mode, dict)
    }
