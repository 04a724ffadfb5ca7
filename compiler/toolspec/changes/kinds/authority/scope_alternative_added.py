"""One more scope is enough for a tool."""

from toolspec.changes.api import Found, JsonValue, declare
from toolspec.changes.scope_rules import scope_edits

KIND = declare(
    __name__,
    "the scope {name} is enough for `{tool}` now",
    mirror="scope-alternative-removed",
    callers="note",
    reviewers="break",
)
FACT = "scopes"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the scopes."""
    for rule in scope_edits(old, new).more:
        yield {"name": " or ".join(f"`{name}`" for name in sorted(rule))}
