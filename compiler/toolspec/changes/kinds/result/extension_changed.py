"""A keyword of an extension changed."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "`{keyword}` of {at} of `{tool}` changed from {before} to {after}",
    mirror="extension-changed",
    callers="note",
    models="note",
    reviewers="note",
)
