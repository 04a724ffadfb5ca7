"""A member of an argument is gone, and calls that have it are refused."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "`{name}` is gone from {at} of `{tool}`",
    "keep `{name}` as a deprecated member that the handler ignores",
    callers="break",
    handlers="risk",
    models="risk",
)
