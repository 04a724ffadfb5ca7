"""A tool no longer requires a scope."""

from toolspec.changes.api import Found, JsonValue, declare
from toolspec.changes.scope_rules import scope_edits

KIND = declare(
    __name__,
    "`{tool}` no longer requires the scope {name}",
    mirror="scope-added",
    callers="risk",
    reviewers="risk",
)
FACT = "scopes"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the scopes."""
    for rule in scope_edits(old, new).removed:
        yield {"name": " or ".join(f"`{name}`" for name in sorted(rule))}
