"""An argument has a tighter bound."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "`{keyword}` of {at} of `{tool}` is {after} now, and was {before}",
    "clamp the value in the handler",
    mirror="bound-relaxed",
    callers="break",
)
