"""An object in a result can have undeclared members."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` can have undeclared members now",
    mirror="closed",
    callers="break",
    handlers="note",
)
