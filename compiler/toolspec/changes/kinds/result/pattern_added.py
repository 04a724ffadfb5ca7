"""A text of a result matches a pattern."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` has to match {after} now",
    mirror="pattern-removed",
    callers="note",
    handlers="break",
)
