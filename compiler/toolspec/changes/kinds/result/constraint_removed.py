"""A result has a constraint less."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` no longer has `{keyword}`: {before}",
    "keep the constraint",
    mirror="constraint-added",
    callers="break",
)
