"""The announcement of a deprecation changed."""

from toolspec.changes.api import Found, JsonValue, declare

KIND = declare(
    __name__,
    "the deprecation of `{tool}` changed: {names}",
    mirror="deprecation-changed",
    callers="note",
    models="note",
)
FACT = "deprecated"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the members that differ, apart from the removal, which has kinds of its own."""
    if not isinstance(old, dict) or not isinstance(new, dict):
        return
    if names := [name for name in ("since", "use") if old.get(name) != new.get(name)]:
        yield {"names": ", ".join(f"`{name}`" for name in names)}
