"""A part of a result is marked as secret."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` is marked as secret now",
    mirror="secret-unmarked",
    callers="note",
    handlers="risk",
    reviewers="note",
)
