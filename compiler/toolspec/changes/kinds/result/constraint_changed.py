"""A constraint of a result changed."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "`{keyword}` of {at} of `{tool}` is {after} now, and was {before}",
    "keep the constraint",
    mirror="constraint-changed",
    callers="break",
    handlers="risk",
)
