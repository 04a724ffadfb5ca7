"""A required member of a result is gone."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "`{name}` is gone from {at} of `{tool}`",
    "keep `{name}`, deprecated, until its readers have changed",
    callers="break",
    models="risk",
)
