"""A union of an argument has a branch less."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` is no longer {branch}",
    "keep the branch, deprecated",
    mirror="branch-added",
    callers="break",
    models="risk",
)
