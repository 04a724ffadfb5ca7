"""A result is always a whole number."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` is always a whole number",
    mirror="number-widened",
    callers="note",
    handlers="break",
)
