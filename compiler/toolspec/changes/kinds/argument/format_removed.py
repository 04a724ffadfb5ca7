"""A text of an argument no longer has a format."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` no longer has the format {before}",
    mirror="format-added",
    callers="note",
    handlers="risk",
)
