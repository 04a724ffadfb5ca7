"""An argument has a looser bound."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "`{keyword}` of {at} of `{tool}` is {after} now, and was {before}",
    mirror="bound-tightened",
    callers="note",
    handlers="risk",
)
