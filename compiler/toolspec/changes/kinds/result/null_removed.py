"""A result is never null."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` can no longer be null",
    mirror="null-added",
    callers="note",
    handlers="break",
)
