"""An optional member of a result is always there."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "`{name}` is required now in {at} of `{tool}`",
    mirror="became-optional",
    callers="note",
    handlers="break",
)
