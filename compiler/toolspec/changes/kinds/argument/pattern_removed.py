"""A text of an argument no longer has a pattern."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` no longer matches {before}",
    mirror="pattern-added",
    callers="note",
    handlers="risk",
)
