"""A result has a new condition."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` has the new condition `{keyword}`: {after}",
    mirror="condition-removed",
    callers="note",
    handlers="break",
)
