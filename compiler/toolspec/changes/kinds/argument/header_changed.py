"""An argument is sent in another header, or no longer in one."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "the header of {at} of `{tool}` changed from {before} to {after}",
    "tell the operators of gateways first",
    mirror="header-changed",
    callers="risk",
    reviewers="risk",
)
