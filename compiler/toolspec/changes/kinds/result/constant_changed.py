"""The only value of a result changed."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` is {after} now, and was {before}",
    "add a branch with the new value and keep the old one",
    mirror="constant-changed",
    callers="break",
    handlers="break",
)
