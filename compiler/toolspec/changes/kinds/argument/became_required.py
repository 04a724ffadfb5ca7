"""An optional member of an argument is required."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "`{name}` is required now in {at} of `{tool}`",
    "keep `{name}` optional and state its default",
    mirror="became-optional",
    callers="break",
    models="risk",
)
