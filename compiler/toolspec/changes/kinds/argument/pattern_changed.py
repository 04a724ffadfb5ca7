"""A text of an argument has another pattern."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` matches {after} now, and matched {before}",
    "take both patterns, with `anyOf`",
    mirror="pattern-changed",
    callers="break",
    handlers="risk",
)
