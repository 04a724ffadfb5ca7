"""A text of an argument has another format."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` has the format {after} now, and had {before}",
    "add a member with the new format",
    mirror="format-changed",
    callers="break",
    handlers="break",
)
