"""A result has a new member."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "`{name}` is new in {at} of `{tool}`",
    mirror="optional-property-removed",
    callers="note",
    handlers="risk",
)
