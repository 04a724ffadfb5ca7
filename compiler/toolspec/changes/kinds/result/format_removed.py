"""A text of a result no longer has a format."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` no longer has the format {before}",
    "keep the format",
    mirror="format-added",
    callers="break",
)
