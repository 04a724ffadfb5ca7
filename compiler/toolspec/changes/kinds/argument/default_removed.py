"""An argument has no default any more."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` no longer has the default {value}",
    "keep the default",
    mirror="default-added",
    callers="risk",
    handlers="break",
    models="note",
)
