"""A text of a result no longer has a pattern."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` no longer matches {before}",
    "keep the pattern",
    mirror="pattern-added",
    callers="break",
)
