"""A list has a tool more than once."""

from collections import Counter

from toolspec.changes.api import Found, JsonValue, declare

KIND = declare(
    __name__,
    "the list has `{name}` more than once",
    "list each tool once",
    callers="break",
    models="risk",
    reviewers="break",
)
FACT = "listed"
SERVICE = True


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield each name that occurs more than once now."""
    before, after = _counted(old), _counted(new)
    for name, count in after.items():
        if count > max(before[name], 1):
            yield {"name": name}


def _counted(value: JsonValue) -> Counter[str]:
    return Counter(map(str, value)) if isinstance(value, list) else Counter()
