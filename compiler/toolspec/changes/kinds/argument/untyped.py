"""An argument can be anything."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` has no schema any more",
    mirror="typed",
    callers="note",
    handlers="break",
)
