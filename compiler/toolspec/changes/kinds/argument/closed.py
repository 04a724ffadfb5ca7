"""An object in an argument no longer takes undeclared members."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` has no undeclared members any more",
    "keep the object open",
    mirror="opened",
    callers="break",
)
