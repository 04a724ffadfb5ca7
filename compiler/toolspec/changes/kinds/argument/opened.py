"""An object in an argument takes undeclared members."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` can have undeclared members now",
    mirror="closed",
    callers="note",
    handlers="risk",
    reviewers="note",
)
