"""The permissions of a tool have another order."""

from toolspec.changes.api import Found, JsonValue, declare

KIND = declare(
    __name__,
    "the permissions of `{tool}` have another order",
    mirror="permission-order-changed",
    callers="risk",
    reviewers="risk",
)
FACT = "permissions"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the difference of the order of common permissions."""
    if not isinstance(old, list) or not isinstance(new, list):
        return
    if [item for item in old if item in new] != [item for item in new if item in old]:
        yield {}
