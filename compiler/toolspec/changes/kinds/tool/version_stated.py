"""A tool has a version, or has none any more."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "`{tool}` is `{renamed}` now",
    mirror="version-stated",
    callers="note",
    handlers="note",
)
NEEDS = ("version",)
