"""A result can be a fraction."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` can be a fraction now",
    "return the fraction in a member of its own",
    mirror="number-narrowed",
    callers="break",
)
