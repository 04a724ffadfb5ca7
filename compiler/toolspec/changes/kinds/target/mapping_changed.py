"""A target gets an argument under another name."""

from toolspec.changes.api import Found, JsonValue, declare
from toolspec.changes.lowered import key_names, pairs

KIND = declare(
    __name__,
    "{target} calls `{name}` of `{tool}` `{after}` now, and called it `{before}`",
    "keep the names of properties within the limits of the target",
    mirror="mapping-changed",
    callers="break",
    models="risk",
)
FACT = "lowered"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the members that both versions rename."""
    for target, before, after in pairs(old, new):
        names = dict(key_names(before))
        for (at, name), sent in key_names(after):
            if sent != names.get((at, name), sent):
                former = names[at, name]
                yield {"target": f"`{target}`", "name": name, "before": former, "after": sent}
