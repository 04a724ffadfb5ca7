"""A result has a list of values."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` is one of {values} now",
    mirror="values-freed",
    callers="note",
    handlers="break",
)
