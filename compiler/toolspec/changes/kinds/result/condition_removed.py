"""A result has a condition less."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` no longer has the condition `{keyword}`: {before}",
    "keep the condition",
    mirror="condition-added",
    callers="break",
)
