"""The only instance of a service changed, or a text about its instances."""

from toolspec.changes.api import Found, JsonValue, declare, shown

KIND = declare(
    __name__,
    "the instances of `{service}` changed from {before} to {after}",
    mirror="instances-changed",
    reviewers="note",
    operators="risk",
)
FACT = "instances"
SERVICE = True


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the difference, unless the argument `instance` shows it."""
    before, after = _told(old), _told(new)
    if max(len(before), len(after)) < 2 or before == after:  # noqa: PLR2004 - two make a choice
        yield {
            "before": shown([name for name, _ in before]),
            "after": shown([name for name, _ in after]),
        }


def _told(value: JsonValue) -> list[tuple[str, str]]:
    """Return what the argument says about each instance."""
    instances = value if isinstance(value, list) else []
    return [
        (str(each.get("name")), str(each.get("title") or each.get("description")))
        for each in instances
        if isinstance(each, dict)
    ]
