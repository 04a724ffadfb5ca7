"""A result has one more part in `allOf`."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` has one more part in `allOf`",
    mirror="part-removed",
    callers="note",
    handlers="break",
)
