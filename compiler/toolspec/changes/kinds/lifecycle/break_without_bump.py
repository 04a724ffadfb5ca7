"""A break comes without the bump of the version that announces it."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "the breaks of `{service}` need version {advised}, and it has {after}",
    "set `version` of the service to {advised}, or keep what breaks",
    callers="break",
    operators="risk",
)
SERVICE = True
NEEDS = ("version",)
