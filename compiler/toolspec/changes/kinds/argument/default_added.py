"""An argument has a default."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` has the default {value} now",
    mirror="default-removed",
    callers="risk",
    handlers="risk",
    models="note",
)
