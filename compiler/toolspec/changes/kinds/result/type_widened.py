"""A result has more types."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` is {after} now, and was {before}",
    "return the new type in a member of its own",
    mirror="type-narrowed",
    callers="break",
)
