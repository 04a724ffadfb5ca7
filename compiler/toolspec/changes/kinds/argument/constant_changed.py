"""The only value of an argument changed."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` is {after} now, and was {before}",
    "take both values",
    mirror="constant-changed",
    callers="break",
    handlers="break",
)
