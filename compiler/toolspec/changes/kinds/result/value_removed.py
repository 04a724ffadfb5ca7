"""A result has a value less."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` no longer has the value {value}",
    mirror="value-added",
    callers="note",
    handlers="break",
)
