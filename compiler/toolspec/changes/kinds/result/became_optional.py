"""A required member of a result can be missing."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "`{name}` is optional now in {at} of `{tool}`",
    "keep returning `{name}`, empty if need be",
    mirror="became-required",
    callers="break",
    models="note",
)
