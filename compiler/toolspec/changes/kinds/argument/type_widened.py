"""An argument has more types."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` is {after} now, and was {before}",
    mirror="type-narrowed",
    callers="note",
    handlers="break",
)
