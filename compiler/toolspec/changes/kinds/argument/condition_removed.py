"""An argument has a condition less."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` no longer has the condition `{keyword}`: {before}",
    mirror="condition-added",
    callers="note",
    handlers="risk",
)
