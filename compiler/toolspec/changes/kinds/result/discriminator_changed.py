"""Another member tells the branches of a union apart."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "the discriminator of {at} of `{tool}` changed from {before} to {after}",
    "keep the member, with the same values",
    mirror="discriminator-changed",
    callers="risk",
    handlers="risk",
)
