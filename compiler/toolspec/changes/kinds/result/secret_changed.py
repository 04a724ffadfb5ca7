"""A part of a result became secret, or is no longer."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "`writeOnly` of {at} of `{tool}` changed from {before} to {after}",
    mirror="secret-changed",
    callers="risk",
    handlers="risk",
    reviewers="risk",
)
