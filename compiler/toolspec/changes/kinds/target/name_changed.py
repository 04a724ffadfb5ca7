"""A target gets a tool under another name."""

from toolspec.changes.api import Found, JsonValue, declare
from toolspec.changes.lowered import pairs

KIND = declare(
    __name__,
    "{target} calls `{tool}` {after} now, and called it {before}",
    "keep the name within the limits of the target",
    mirror="name-changed",
    callers="break",
    models="risk",
)
FACT = "lowered"
NEEDS = ("tool", "wire")


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield each target with another name; a tool that is renamed has others anyway."""
    assert isinstance(old, dict)
    assert isinstance(new, dict)
    for target, before, after in pairs(old.get("lowered"), new.get("lowered")):
        names = [str(each.get("name") or "as it is called") for each in (before, after)]
        if names[0] != names[1] and old.get("tool") == new.get("tool"):
            yield {"target": f"`{target}`", "before": names[0], "after": names[1]}
