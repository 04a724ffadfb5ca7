"""A union of a result has one more branch."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` can be {branch} now",
    "return the new form in a member of its own, or announce it",
    mirror="branch-removed",
    callers="break",
)
