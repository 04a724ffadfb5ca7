"""An argument has one more part in `allOf`."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` has one more part in `allOf`",
    "check it in the handler, and say what is wrong",
    mirror="part-removed",
    callers="break",
)
