"""A text of a result has another pattern."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` matches {after} now, and matched {before}",
    "keep the old form",
    mirror="pattern-changed",
    callers="break",
    handlers="risk",
)
