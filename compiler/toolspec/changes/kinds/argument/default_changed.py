"""The default of an argument changed."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "the default of {at} of `{tool}` is {after} now, and was {before}",
    "add a member for the new behaviour",
    mirror="default-changed",
    callers="risk",
    handlers="risk",
    models="note",
)
