"""The HTTP request of a tool changed."""

from toolspec.changes.api import Found, JsonValue, declare, shown

KIND = declare(
    __name__,
    "the HTTP request of `{tool}` is {after} now, and was {before}",
    mirror="http-changed",
    reviewers="risk",
    operators="risk",
)
FACT = "http"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the change with the members that differ."""
    before, after = (value if isinstance(value, dict) else {} for value in (old, new))
    names = [name for name in {**before, **after} if before.get(name) != after.get(name)]
    yield {
        "before": shown({name: before.get(name) for name in names} if before else None),
        "after": shown({name: after.get(name) for name in names} if after else None),
    }
