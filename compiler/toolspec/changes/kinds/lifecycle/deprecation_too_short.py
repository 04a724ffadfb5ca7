"""A tool is gone too soon after its deprecation."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "`{tool}` is gone, and was deprecated {deprecated}; removal needs {days} days",
    "keep `{tool}` until callers had {days} days",
    callers="break",
    handlers="risk",
    models="risk",
)
NEEDS = ("deprecated", "versions")
