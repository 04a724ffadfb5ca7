"""A value has another unit."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` is in {after} now, and was in {before}",
    "add a member with the new unit, and deprecate this one",
    mirror="unit-changed",
    callers="break",
    handlers="break",
    models="risk",
    reviewers="break",
)
