"""A member of an argument is no longer declared, and calls that have it stay valid."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "`{name}` is no longer read in {at} of `{tool}`",
    "say in the description what replaces `{name}`, or close the schema so that callers notice",
    mirror="property-added",
    callers="risk",
    handlers="risk",
    models="risk",
)
