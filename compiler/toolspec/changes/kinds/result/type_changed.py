"""A result has another type."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` is {after} now, and was {before}",
    "add a member of the new type and deprecate this one",
    mirror="type-changed",
    callers="break",
    handlers="break",
)
