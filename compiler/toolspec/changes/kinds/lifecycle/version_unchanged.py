"""A service changed and kept its version."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "the version of `{service}` is still {after}; its changes need {advised}",
    "set `version` of the service to {advised}",
    callers="risk",
)
