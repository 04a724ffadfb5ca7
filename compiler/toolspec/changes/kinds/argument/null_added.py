"""An argument can be null."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` can be null now",
    mirror="null-removed",
    callers="note",
    handlers="break",
)
