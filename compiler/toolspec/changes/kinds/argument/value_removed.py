"""An argument has a value less."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` no longer has the value {value}",
    "keep {value} and handle it like its successor",
    mirror="value-added",
    callers="break",
    models="risk",
)
