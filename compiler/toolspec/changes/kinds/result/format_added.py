"""A text of a result has a format."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` has the format {after} now",
    mirror="format-removed",
    callers="note",
    handlers="break",
)
