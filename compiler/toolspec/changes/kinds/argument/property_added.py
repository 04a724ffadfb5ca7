"""An argument has a new optional member."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "`{name}` is new in {at} of `{tool}`",
    mirror="property-ignored",
    callers="note",
    models="note",
)
