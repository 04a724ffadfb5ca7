"""An argument has one more value."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` has the new value {value}",
    mirror="value-removed",
    callers="note",
    handlers="risk",
    models="note",
)
