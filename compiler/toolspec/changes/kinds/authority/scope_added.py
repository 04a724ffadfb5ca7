"""A tool requires one more scope."""

from toolspec.changes.api import Found, JsonValue, declare
from toolspec.changes.scope_rules import scope_edits

KIND = declare(
    __name__,
    "`{tool}` requires the scope {name} now",
    "add the scope to the alternatives of one that the tool had",
    mirror="scope-removed",
    callers="break",
    reviewers="break",
)
FACT = "scopes"


def found(old: JsonValue, new: JsonValue) -> Found:
    """Yield the scopes."""
    for rule in scope_edits(old, new).added:
        yield {"name": " or ".join(f"`{name}`" for name in sorted(rule))}
