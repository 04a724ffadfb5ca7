"""A service no longer has a mode."""

from toolspec.changes.api import Found, JsonValue, declare

KIND = declare(
    __name__,
    "`{service}` no longer has the mode `{name}`",
    "keep the mode",
    mirror="mode-added",
    callers="break",
    handlers="risk",
    operators="break",
)
FACT = "modes"
SERVICE = True


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the modes of one side."""
    before, after = _modes(old), _modes(new)
    for name in before:
        if name not in after:
            yield {"name": name}


def _modes(value: JsonValue) -> dict[str, JsonValue]:
    """Return the descriptions of modes by name."""
    modes = value if isinstance(value, list) else []
    return {
        str(mode.get("name")): mode.get("description") for mode in modes if isinstance(mode, dict)
    }
