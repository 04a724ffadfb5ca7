"""The generated Python names of a tool changed."""

from toolspec.changes.api import Found, JsonValue, declare

KIND = declare(
    __name__,
    "the Python names of `{tool}` changed: {names}",
    "rename the method of the handler in the same commit",
    mirror="python-name-changed",
    callers="risk",
    handlers="break",
)
FACT = "python"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the names that both sides have, apart from the module."""
    if not isinstance(old, dict) or not isinstance(new, dict):
        return
    pairs = [
        (old[name], new[name])
        for name in old
        if name != "module" and None not in (old[name], new.get(name)) and old[name] != new[name]
    ]
    if pairs:
        yield {"names": ", ".join(f"`{before}` is `{after}`" for before, after in pairs)}
