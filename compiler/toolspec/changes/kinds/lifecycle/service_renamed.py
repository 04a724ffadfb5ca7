"""A service has another name and the same tools."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "service `{service}` is called `{renamed}` now, and so are its {tools} tools",
    "keep the old names of its tools as `aliases`",
    mirror="service-renamed",
    callers="break",
    handlers="break",
    models="risk",
    reviewers="break",
    operators="break",
)
NEEDS = ("services",)
