"""A required member of an argument is optional."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "`{name}` is optional now in {at} of `{tool}`",
    mirror="became-required",
    callers="note",
    handlers="break",
    models="note",
)
