"""A tuple of an argument has other positions."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` has other positions",
    "use an object with named members",
    mirror="positions-changed",
    callers="break",
    handlers="break",
)
