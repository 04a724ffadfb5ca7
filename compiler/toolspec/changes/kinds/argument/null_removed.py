"""An argument can no longer be null."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` can no longer be null",
    "treat null like a missing member",
    mirror="null-added",
    callers="break",
)
