"""A text of an argument has to match a pattern."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` has to match {after} now",
    "check the pattern in the handler, and say what is wrong",
    mirror="pattern-removed",
    callers="break",
)
