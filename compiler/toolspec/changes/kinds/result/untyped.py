"""A result can be anything."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` has no schema any more",
    "keep the schema",
    mirror="typed",
    callers="break",
    models="risk",
)
