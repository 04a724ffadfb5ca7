"""An argument has a new constraint."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` has `{keyword}` now: {after}",
    "check it in the handler, and say what is wrong",
    mirror="constraint-removed",
    callers="break",
)
