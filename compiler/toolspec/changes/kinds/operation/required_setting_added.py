"""A service requires one more setting."""

from toolspec.changes.api import Change, JsonObject, declare

KIND = declare(
    __name__,
    "`{service}` requires the settings {names} now",
    "give the setting a default",
    handlers="risk",
    operators="break",
)
REFINES = ("operation/settings-changed",)


def refined(change: Change, old: JsonObject, new: JsonObject) -> JsonObject | None:
    """Return the settings that are required now."""
    del change
    before, after = old.get("settings"), new.get("settings")
    required = after.get("required") if isinstance(after, dict) else None
    former = before.get("required") if isinstance(before, dict) else None
    known = former if isinstance(former, list) else []
    names = [name for name in required if name not in known] if isinstance(required, list) else []
    return {"names": ", ".join(f"`{name}`" for name in names)} if names else None
