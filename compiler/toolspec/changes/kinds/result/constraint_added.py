"""A result has a new constraint."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` has `{keyword}` now: {after}",
    mirror="constraint-removed",
    callers="note",
    handlers="break",
)
