"""A tool has another name and keeps the old one as an alias."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "`{tool}` is called `{renamed}` now, and keeps its old name as an alias",
    callers="note",
    handlers="risk",
    models="note",
    reviewers="risk",
)
NEEDS = ("aliases",)
