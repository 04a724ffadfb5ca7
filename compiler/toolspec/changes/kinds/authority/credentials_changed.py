"""The credentials of a service belong to each user, or to all of them together."""

from toolspec.changes.api import Found, JsonValue, declare, shown

KIND = declare(
    __name__,
    "the credentials of `{service}` are {after} now, and were {before}",
    "give the service with other credentials a name of its own",
    mirror="credentials-changed",
    callers="break",
    handlers="risk",
    reviewers="break",
    operators="break",
)
FACT = "auth.credentials"
SERVICE = True


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the difference of two services with authentication."""
    if old is not None and new is not None:
        yield {"before": shown(old), "after": shown(new)}
