"""A member of a result has another name."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "`{name}` is called `{renamed}` now in {at} of `{tool}`",
    "return both `{name}` and `{renamed}` until readers have changed",
    mirror="property-renamed",
    callers="break",
    handlers="break",
    models="risk",
)
