"""An argument takes whole numbers only."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` takes whole numbers only",
    "round in the handler",
    mirror="number-widened",
    callers="break",
)
