"""An argument has a constraint less."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` no longer has `{keyword}`: {before}",
    mirror="constraint-added",
    callers="note",
    handlers="risk",
)
