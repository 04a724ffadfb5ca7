"""A text of an argument has a format."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` has the format {after} now",
    "parse leniently in the handler",
    mirror="format-removed",
    callers="break",
)
