"""Other hooks run around the calls of a tool."""

from toolspec.changes.api import Found, JsonValue, declare

KIND = declare(
    __name__,
    "the hooks of `{tool}` changed: {names}",
    mirror="hooks-changed",
    callers="risk",
    handlers="break",
    reviewers="risk",
)
FACT = "hooks"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the roles whose hooks differ."""
    if not isinstance(old, dict) or not isinstance(new, dict):
        return
    if names := [name for name in {**old, **new} if old.get(name) != new.get(name)]:
        yield {"names": ", ".join(f"`{name}`" for name in names)}
