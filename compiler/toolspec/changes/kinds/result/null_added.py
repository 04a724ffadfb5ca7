"""A result can be null."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` can be null now",
    "leave the member out, if it is optional",
    mirror="null-removed",
    callers="break",
)
