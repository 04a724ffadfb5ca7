"""A member of an argument has another name."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "`{name}` is called `{renamed}` now in {at} of `{tool}`",
    "keep `{name}` as a deprecated member beside `{renamed}`",
    mirror="property-renamed",
    callers="break",
    handlers="break",
    models="risk",
)
