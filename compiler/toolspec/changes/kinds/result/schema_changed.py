"""A result changed in a way that has no name of its own."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` changed",
    mirror="schema-changed",
    callers="break",
    handlers="risk",
)
