"""An argument has fewer types."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` is {after} now, and was {before}",
    "keep the old type beside the new one",
    mirror="type-widened",
    callers="break",
)
