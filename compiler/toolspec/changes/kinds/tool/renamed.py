"""A tool has another name and is the same otherwise."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "`{tool}` is called `{renamed}` now",
    "add `{tool}` to the `aliases` of `{renamed}`",
    mirror="renamed",
    callers="break",
    handlers="break",
    models="risk",
    reviewers="break",
)
