"""A tool is gone before its announced removal."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "`{tool}` is gone before its announced removal: {announced}",
    "keep `{tool}` until {announced}",
    callers="break",
    handlers="risk",
    models="risk",
)
NEEDS = ("deprecated",)
