"""A result has a tighter bound."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "`{keyword}` of {at} of `{tool}` is {after} now, and was {before}",
    mirror="bound-relaxed",
    callers="note",
    handlers="break",
)
