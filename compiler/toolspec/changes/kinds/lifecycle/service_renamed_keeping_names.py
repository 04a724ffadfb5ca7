"""A service has another name, and the old names of its tools still work."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "service `{service}` is called `{renamed}` now, and its tools keep their names",
    "configure the service under its new name before the deployment",
    callers="risk",
    handlers="break",
    models="note",
    reviewers="break",
    operators="break",
)
NEEDS = ("services",)
