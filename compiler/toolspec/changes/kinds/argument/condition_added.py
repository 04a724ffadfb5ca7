"""An argument has a new condition."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` has the new condition `{keyword}`: {after}",
    "check it in the handler, and say what is wrong",
    mirror="condition-removed",
    callers="break",
)
