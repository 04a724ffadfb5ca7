"""A service authenticates its users in another way."""

from toolspec.changes.api import Found, JsonValue, declare

KIND = declare(
    __name__,
    "the authentication of `{service}` changed: {names}",
    "give the service that authenticates in another way a name of its own",
    mirror="auth-changed",
    callers="break",
    handlers="risk",
    reviewers="break",
    operators="break",
)
FACT = "auth"
SERVICE = True


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the members that differ, apart from those with a kind of their own."""
    before = old if isinstance(old, dict) else {}
    after = new if isinstance(new, dict) else {}
    own = {"scopes", "credentials"} if before.get("type") == after.get("type") else set()
    names = [name for name in {**before, **after} if before.get(name) != after.get(name)]
    if names := [name for name in names if name not in own]:
        yield {"names": ", ".join(f"`{name}`" for name in names)}
