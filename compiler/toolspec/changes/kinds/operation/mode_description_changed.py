"""The description of a mode changed."""

from toolspec.changes.api import Found, JsonValue, declare

KIND = declare(
    __name__,
    "the description of the mode `{name}` of `{service}` changed",
    mirror="mode-description-changed",
    reviewers="note",
    operators="note",
)
FACT = "modes"
SERVICE = True


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the modes of both sides with another description."""
    before, after = _modes(old), _modes(new)
    for name in before:
        if name in after and before[name] != after[name]:
            yield {"name": name}


def _modes(value: JsonValue) -> dict[str, JsonValue]:
    """Return the descriptions of modes by name."""
    modes = value if isinstance(value, list) else []
    return {
        str(mode.get("name")): mode.get("description") for mode in modes if isinstance(mode, dict)
    }
