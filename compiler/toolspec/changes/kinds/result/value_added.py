"""A result has one more value."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` has the new value {value}",
    "return the new value in a member of its own, or announce it",
    mirror="value-removed",
    callers="break",
    models="note",
)
