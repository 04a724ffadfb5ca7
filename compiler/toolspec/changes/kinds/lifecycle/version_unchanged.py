"""A service changed and kept its version."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "the changes of `{service}` need version {advised}, and it still has {after}",
    "set `version` of the service to {advised}",
    callers="risk",
)
SERVICE = True
NEEDS = ("version",)
