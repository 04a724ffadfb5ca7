"""A union of a result has a branch less."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` is no longer {branch}",
    mirror="branch-added",
    callers="note",
    handlers="break",
)
