"""A service has one more optional setting."""

from toolspec.changes.api import Change, JsonObject, are_equal, declare

KIND = declare(
    __name__,
    "`{service}` has the new settings {names}",
    handlers="note",
    operators="note",
)
REFINES = ("operation/settings-changed",)


def refined(change: Change, old: JsonObject, new: JsonObject) -> JsonObject | None:
    """Return the new settings if nothing else differs."""
    del change
    before, after = old.get("settings"), new.get("settings")
    if not isinstance(before, dict) or not isinstance(after, dict):
        return None
    one, other = before.get("properties", {}), after.get("properties", {})
    if not isinstance(one, dict) or not isinstance(other, dict):
        return None
    names = [name for name in other if name not in one]
    rest = {name: other[name] for name in other if name not in names}
    if not names or not are_equal({**before, "properties": one}, {**after, "properties": rest}):
        return None
    return {"names": ", ".join(f"`{name}`" for name in names)}
