"""What a target gets of a tool changed, although nothing else about the tool did."""

from toolspec.changes.api import Found, JsonValue, declare
from toolspec.changes.side import TOOL_FACTS

KIND = declare(
    __name__,
    "the definition of `{tool}` for {targets} changed, and its facts did not",
    mirror="definition-changed",
    callers="note",
    models="note",
    reviewers="note",
)
FACT = "wire"
DERIVED_FROM = tuple(fact for fact in TOOL_FACTS if fact != FACT)


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the change, if it is this one."""
    assert isinstance(old, dict)
    assert isinstance(new, dict)
    targets = [name for name in old if name in new and old[name] != new[name]]
    if targets:
        yield {"targets": ", ".join(f"`{name}`" for name in targets)}
