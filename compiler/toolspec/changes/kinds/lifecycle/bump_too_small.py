"""A service has something new, and only a higher patch version."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "the changes of `{service}` need version {advised}, and it has {after}",
    "set `version` of the service to {advised}",
    callers="note",
)
SERVICE = True
NEEDS = ("version",)
