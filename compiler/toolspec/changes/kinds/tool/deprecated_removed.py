"""A tool that was deprecated is gone."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "`{tool}` is gone, as its deprecation announced",
    callers="note",
    handlers="risk",
)
NEEDS = ("deprecated",)
