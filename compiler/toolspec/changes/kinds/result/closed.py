"""An object in a result has no undeclared members."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` has no undeclared members any more",
    mirror="opened",
    callers="note",
    handlers="break",
)
