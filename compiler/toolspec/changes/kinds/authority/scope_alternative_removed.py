"""A scope is no longer enough for a tool."""

from toolspec.changes.api import Found, JsonValue, declare
from toolspec.changes.scope_rules import scope_edits

KIND = declare(
    __name__,
    "the scope {name} is no longer enough for `{tool}`",
    "keep the alternative",
    mirror="scope-alternative-added",
    callers="break",
    reviewers="note",
)
FACT = "scopes"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the scopes."""
    for rule in scope_edits(old, new).fewer:
        yield {"name": " or ".join(f"`{name}`" for name in sorted(rule))}
