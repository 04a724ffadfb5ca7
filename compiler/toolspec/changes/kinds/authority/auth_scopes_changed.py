"""The scopes that a service can ask for changed."""

from toolspec.changes.api import Found, JsonValue, declare

KIND = declare(
    __name__,
    "the scopes of `{service}` changed: {names}",
    mirror="auth-scopes-changed",
    callers="note",
    reviewers="risk",
    operators="risk",
)
FACT = "auth.scopes"
SERVICE = True


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the scopes that differ."""
    if not isinstance(old, dict) or not isinstance(new, dict):
        return
    if names := [name for name in {**old, **new} if old.get(name) != new.get(name)]:
        yield {"names": ", ".join(f"`{name}`" for name in names)}
