"""The unit of a value is stated, or no longer is."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "the unit of {at} of `{tool}` is {after} now, and was {before}",
    mirror="unit-stated",
    callers="note",
    models="note",
)
