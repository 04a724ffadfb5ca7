"""A part of a result moved into or out of an object."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "`{name}` is `{renamed}` now in the result of `{tool}`",
    "keep `{name}` as a deprecated member",
    mirror="property-moved",
    callers="break",
    handlers="break",
    models="risk",
)
