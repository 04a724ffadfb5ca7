"""An argument moved into or out of an object."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "`{name}` is `{renamed}` now in the arguments of `{tool}`",
    "keep `{name}` as a deprecated member",
    mirror="property-moved",
    callers="break",
    handlers="break",
    models="risk",
)
