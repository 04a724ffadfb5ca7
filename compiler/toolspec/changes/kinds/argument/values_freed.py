"""An argument no longer has a list of values."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` is no longer one of {values}",
    mirror="values-restricted",
    callers="note",
    handlers="risk",
)
