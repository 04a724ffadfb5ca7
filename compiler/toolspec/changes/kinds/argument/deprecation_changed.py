"""An argument became deprecated, or is no longer."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "`deprecated` of {at} of `{tool}` changed from {before} to {after}",
    mirror="deprecation-changed",
    callers="note",
    models="note",
)
