"""A result has fewer types."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` is {after} now, and was {before}",
    mirror="type-widened",
    callers="note",
    handlers="break",
)
