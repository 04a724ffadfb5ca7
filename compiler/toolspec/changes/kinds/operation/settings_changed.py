"""The settings of a service changed."""

from toolspec.changes.api import Found, JsonValue, declare

KIND = declare(
    __name__,
    "the settings of `{service}` changed",
    mirror="settings-changed",
    handlers="risk",
    operators="break",
)
FACT = "settings"
SERVICE = True


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the change, if it is this one."""
    del old, new
    yield {}
