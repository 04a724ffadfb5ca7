"""A result that could be anything has a schema."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` has a schema now, and had none",
    mirror="untyped",
    callers="note",
    handlers="break",
)
