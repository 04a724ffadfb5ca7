"""A union of an argument has one more branch."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` can be {branch} now",
    mirror="branch-removed",
    callers="note",
    handlers="risk",
)
