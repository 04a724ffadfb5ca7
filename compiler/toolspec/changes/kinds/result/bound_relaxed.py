"""A result has a looser bound."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "`{keyword}` of {at} of `{tool}` is {after} now, and was {before}",
    "keep the bound",
    mirror="bound-tightened",
    callers="break",
)
