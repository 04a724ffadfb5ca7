"""A service has something new, and only a higher patch version."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "the version of `{service}` is {after}, and was {before}; its changes need {advised}",
    "set `version` of the service to {advised}",
    callers="note",
)
