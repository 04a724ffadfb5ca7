"""A tool is new."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "`{tool}` is new",
    callers="note",
    handlers="break",
    models="note",
    reviewers="note",
)
