"""A result no longer has a list of values."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` is no longer one of {values}",
    "keep the list of values",
    mirror="values-restricted",
    callers="break",
)
