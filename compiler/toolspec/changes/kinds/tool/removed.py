"""A tool is gone."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "`{tool}` is gone",
    "deprecate `{tool}` first, and remove it after its callers have changed",
    callers="break",
    handlers="risk",
    models="risk",
)
