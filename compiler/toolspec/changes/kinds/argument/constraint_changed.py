"""A constraint of an argument changed."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "`{keyword}` of {at} of `{tool}` is {after} now, and was {before}",
    "check it in the handler, and say what is wrong",
    mirror="constraint-changed",
    callers="break",
    handlers="risk",
)
