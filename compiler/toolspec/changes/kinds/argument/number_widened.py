"""An argument takes fractions too."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` takes fractions too",
    mirror="number-narrowed",
    callers="note",
    handlers="risk",
)
