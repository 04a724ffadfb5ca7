"""A tool has another version, and no longer answers the former one."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "`{tool}` is `{renamed}` now",
    "keep the former version beside the new one",
    mirror="version-changed",
    callers="break",
    handlers="risk",
    models="note",
    reviewers="note",
)
NEEDS = ("version",)
